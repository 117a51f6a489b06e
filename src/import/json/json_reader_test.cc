// SPDX-License-Identifier: Apache-2.0
#include "import/json/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace pyrometer::import_ {
namespace {

using ::testing::HasSubstr;
using Kind = JsonReader::Kind;

std::span<const uint8_t> Bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Everything that is in a value, in one line: as a reader sees it who asks for all.
std::string Everything(JsonReader& json) {
  std::string out;
  std::vector<bool> is_object;
  for (;;) {
    switch (json.Next()) {
      case Kind::kObject:
        out += "{";
        if (json.BeginObject()) is_object.push_back(true);
        break;
      case Kind::kArray:
        out += "[";
        if (json.BeginArray()) is_object.push_back(false);
        break;
      case Kind::kText:
        out += "'" + std::string(json.Text().value_or("?")) + "'";
        break;
      case Kind::kNumber:
        out += std::string(json.Number().value_or("?"));
        break;
      case Kind::kWord:
        out += "w";
        json.Skip();
        break;
      case Kind::kNothing:
        return out;
    }
    for (bool more = false; !more && !is_object.empty();) {
      const auto key =
          is_object.back() ? json.NextKey() : std::optional<std::string_view>(std::string_view());
      more = is_object.back() ? key.has_value() : json.NextElement();
      if (more) {
        out += is_object.back() ? " " + std::string(*key) + "=" : " ";
      } else {
        if (!json.status().ok()) return out;
        out += is_object.back() ? "}" : "]";
        is_object.pop_back();
      }
    }
    if (is_object.empty()) return out;
  }
}

std::string Read(std::string_view text) {
  ByteInput input(Bytes(text));
  JsonReader json(input);
  const std::string out = Everything(json);
  return json.status().ok() ? out : out + " error: " + json.status().error().message;
}

TEST(JsonReader, GivesWhatIsThere) {
  EXPECT_EQ(Read(R"( {"a" : [1, -2.5e3,"x"] , "b":{}, "c":[], "d":true,"e":null} )"),
            "{ a=[ 1 -2.5e3 'x'] b={} c=[] d=w e=w}");
  EXPECT_EQ(Read("\xef\xbb\xbf[]"), "[]");
  EXPECT_EQ(Read("7"), "7");
}

TEST(JsonReader, TextsAreDecoded) {
  EXPECT_EQ(Read(R"("a\"\\\/\b\f\n\r\tz")"), "'a\"\\/\b\f\n\r\tz'");
  EXPECT_EQ(Read(R"("\u0041\u00e9\u20ac\ud83d\ude00")"), "'A\u00e9\u20ac\U0001f600'");
  EXPECT_EQ(Read(R"("\ud800x\udc00\ud800\n\ud800\u0041")"), "'\ufffdx\ufffd\ufffd\n\ufffdA'");
  EXPECT_EQ(Read("{\"k\\u0065y\" \n : 1}"), "{ key=1}");
}

TEST(JsonReader, WhatRealFilesGetWrongIsRead) {
  EXPECT_EQ(Read("[NaN, -Infinity, Infinity,]"), "[ NaN -Infinity Infinity]");
  EXPECT_EQ(Read("{\"a\": \"line\nbreak\x01\",}"), "{ a='line\nbreak\x01'}");
}

TEST(JsonReader, WhatIsNotJsonIsAnError) {
  for (const std::string_view text : {"[1 2]", "{1:2}", "{\"a\" 1}", "[}", "{]", "\"\\x\"",
                                      "\"\\u12g4\"", "]", ":", "[1,,2]", "?"})
    EXPECT_THAT(Read(text), HasSubstr("error: not JSON at byte")) << text;
  for (const std::string_view text :
       {"", "  ", "[", "{\"a", "{\"a\"", "{\"a\":", "[1", "[1,", "\"a\\", "\"a\\u00"})
    EXPECT_THAT(Read(text), HasSubstr("error: cut off after ")) << text;
}

TEST(JsonReader, WhatIsNotAskedForIsPassedOver) {
  const std::string_view text = R"({"skip":{"a":["]}\"",{"b":[]}],"c":1},"take":5,"wrong":"x"})";
  ByteInput input(Bytes(text));
  JsonReader json(input);
  int64_t taken = 0;
  bool wrong_is_number = true;
  json.ForMembers([&](std::string_view key) {
    if (key == "take") taken = std::stoi(std::string(json.Number().value_or("0")));
    if (key == "wrong") wrong_is_number = json.Number().has_value();
  });
  EXPECT_TRUE(json.status().ok());
  EXPECT_EQ(taken, 5);
  EXPECT_FALSE(wrong_is_number);
  EXPECT_EQ(json.nesting(), 0u);
}

TEST(JsonReader, LongTextsAreCutBetweenCharacters) {
  for (const std::string_view text : {"[\"aaa\u20acbbb\", 1]", "[\"\\u0061aa\u20acbbb\", 1]"}) {
    ByteInput input(Bytes(text));
    JsonReader json(input);
    json.BeginArray();
    json.NextElement();
    EXPECT_EQ(json.Text(4), "aaa");
    EXPECT_TRUE(json.NextElement());
    EXPECT_EQ(json.Number(), "1");
    EXPECT_EQ(json.texts_cut(), 1u);
  }
}

TEST(JsonReader, HundredMegabytesOfTextCostNothing) {
  const std::string text = "[\"" + std::string(100 << 20, 'x') + "\", 2]";
  ByteInput input(Bytes(text));
  JsonReader json(input);
  json.BeginArray();
  json.NextElement();
  EXPECT_EQ(json.Text()->size(), JsonReader::kMaxText);
  EXPECT_TRUE(json.NextElement());
  EXPECT_EQ(json.Number(), "2");
}

TEST(JsonReader, AbsurdNestingEnds) {
  EXPECT_THAT(Read(std::string(2'000'000, '[')), HasSubstr("nested too deep at byte"));
  const std::string deep = "[" + std::string(2'000'000, '[');
  ByteInput input(Bytes(deep));
  JsonReader json(input);
  json.Skip();
  EXPECT_FALSE(json.status().ok());
}

// Wherever a piece ends.
TEST(JsonReader, ValuesMayLieInSeveralPieces) {
  const std::string value = R"({"key":["te\"xt\u20ac",-12.5e-3,true,{"n" : null}]})";
  const std::string expected = Read(value);
  constexpr size_t kPieceSize = size_t{1} << 18;
  for (size_t i = 0; i < value.size(); ++i) {
    const std::string padded = std::string(kPieceSize - i, ' ') + value;
    EXPECT_EQ(Read(padded), expected) << i;
    std::string skipped = "[" + std::string(kPieceSize - i, ' ') + value + ",1]";
    ByteInput input(Bytes(skipped));
    JsonReader json(input);
    size_t elements = 0;
    json.ForElements([&] { ++elements; });
    EXPECT_TRUE(json.status().ok());
    EXPECT_EQ(elements, 2u);
  }
}

// Against another reader: whatever it takes for JSON is JSON here, with the same structure.
TEST(JsonReader, AgreesWithAnotherReader) {
  std::minstd_rand random(7);
  const std::string seed =
      R"({"a":[1,2.5,-3e2,"t\u00e9xt\n",{"b":null,"c":[[],{}]}],"d":"\\\"","e":true})";
  size_t good = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seed;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      text[random() % text.size()] = "{}[]\",:\\ue12 \x80"[random() % 14];
    const auto other = nlohmann::json::parse(text, nullptr, false);
    if (other.is_discarded()) continue;
    ++good;
    EXPECT_THAT(Read(text), Not(HasSubstr("error"))) << text;
  }
  EXPECT_GT(good, 500u);
}

}  // namespace
}  // namespace pyrometer::import_
