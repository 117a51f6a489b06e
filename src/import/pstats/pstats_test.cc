// SPDX-License-Identifier: Apache-2.0
#include "import/pstats/pstats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"

namespace pyrometer::import_ {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ExpectSoundWhenDamaged;
using testing::FactTexts;
using ::testing::HasSubstr;
using testing::Import;
using ::testing::IsEmpty;
using testing::LossTexts;
using testing::SampleTexts;

// Values as Python's marshal writes them.
template <class Number>
std::string Bytes(Number number) {
  std::string bytes;
  for (size_t i = 0; i < sizeof(number); ++i) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}
std::string Short(const std::string& text) {
  return 'z' + Bytes(static_cast<uint8_t>(text.size())) + text;
}
std::string Integer(int32_t number) { return 'i' + Bytes(static_cast<uint32_t>(number)); }
std::string Real(double number) { return 'g' + Bytes(std::bit_cast<uint64_t>(number)); }
std::string Tuple(const std::vector<std::string>& items) {
  std::string bytes = ')' + Bytes(static_cast<uint8_t>(items.size()));
  for (const std::string& item : items) bytes += item;
  return bytes;
}
std::string Dict(const std::vector<std::string>& keys_and_values) {
  std::string bytes = "{";
  for (const std::string& item : keys_and_values) bytes += item;
  return bytes + '0';
}
std::string Key(const char* name, int line = 1, const char* file = "app.py") {
  return Tuple({Short(file), Integer(line), Short(name)});
}
std::string Stats(int calls, double self, double total, const std::string& callers = Dict({})) {
  return Tuple({Integer(calls), Integer(calls), Real(self), Real(total), callers});
}
std::string Caller(int calls, double self, double total) {
  return Tuple({Integer(calls), Integer(calls), Real(self), Real(total)});
}

// main calls a and b; both call leaf.
std::string File() {
  return Dict(
      {Key("main"), Stats(1, 1, 10),                                           //
       Key("a", 5), Stats(2, 2, 5, Dict({Key("main"), Caller(2, 2, 5)})),      //
       Key("b", 9), Stats(1, 0.5, 4, Dict({Key("main"), Caller(1, 0.5, 4)})),  //
       Key("<built-in leaf>", 0, "~"),
       Stats(3, 6.5, 6.5, Dict({Key("a", 5), Caller(2, 3, 3), Key("b", 9), Caller(1, 3.5, 3.5)}))});
}

TEST(Pstats, SelfTimesBelowTheirCallers) {
  const auto profile = Import(File());
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:0) python 1000000000 1",
                          "main (app.py:0);a (app.py:0) python 2000000000 2",
                          "main (app.py:0);b (app.py:0) python 500000000 1",
                          "main (app.py:0);a (app.py:0);<built-in leaf> [] native 3000000000 2",
                          "main (app.py:0);b (app.py:0);<built-in leaf> [] native 3500000000 1"));
  EXPECT_EQ(profile.value().codes[1].first_line, 5u);
  EXPECT_THAT(LossTexts(profile.value()), IsEmpty());
  EXPECT_THAT(FactTexts(profile.value()), Contains(HasSubstr("knows calls, not stacks")));
}

TEST(Pstats, CallsFromOutsideStandAlone) {
  const auto profile = Import(Dict({Key("f"), Stats(5, 3, 3, Dict({Key("g"), Caller(2, 1, 1)}))}));
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("g (app.py:0);f (app.py:0) python 1000000000 2",
                          "f (app.py:0) python 2000000000 3"));
}

TEST(Pstats, RecursionAndCirclesEnd) {
  const auto profile = Import(Dict(
      {Key("f"), Stats(2, 1, 1, Dict({Key("g"), Caller(1, 0.5, 1), Key("f"), Caller(1, 0.5, 1)})),
       Key("g"), Stats(1, 1, 2, Dict({Key("f"), Caller(1, 1, 2)}))}));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
  EXPECT_EQ(profile.value().samples.size(), 3u);
}

TEST(Pstats, SamplesOfCPython) {
  const auto profile = Import(Dict({Tuple({Short("__sampled__")}), "T", Key("f", 12),
                                    Tuple({Integer(3), Integer(9), Real(0.003), Real(0.009),
                                           Dict({Key("main", 2), Integer(9)})}),
                                    Key("main", 2), Stats(0, 0, 0.009)}));
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:2);f (app.py:12) python 3000000 3"));
}

TEST(Pstats, EveryCodeOfMarshal) {
  // Text of each kind, one that is referred to, a long number, and a time as text.
  const std::string referred = std::string("\xfa") + "\x04" + "a.py";
  const std::string again = std::string("r") + Bytes(uint32_t{0});
  const std::string long_one =
      std::string("l") + Bytes(uint32_t{2}) + Bytes(uint16_t{5}) + Bytes(uint16_t{1});
  const auto long_text = [](char code, const std::string& text) {
    return code + Bytes(static_cast<uint32_t>(text.size())) + text;
  };
  const std::string empty = Dict({});
  const auto stats = [&](const std::string& self) {
    return Tuple({"T", "F", self, Real(1), empty});
  };
  const std::string file =
      "{" +  //
      Tuple({referred, Integer(1), long_text('u', "f")}) +
      stats(
          "f\x03"
          "1.5") +  //
      Tuple({again, long_one, long_text('A', "g")}) +
      stats(Real(2)) +                                                                     //
      Tuple({again, "I" + Bytes(uint64_t{3}), long_text('t', "h")}) + stats(Integer(1)) +  //
      "(" + Bytes(uint32_t{3}) + again + Integer(4) + "R" + Bytes(uint32_t{0}) + stats(Real(1)) +
      "N"
      "N"
      ".S"
      "y" +
      std::string(16, '\0') + "[" + Bytes(uint32_t{0}) + "0";
  const auto profile = Import(file, "pstats");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("f (a.py:0) python 1500000000 1", "g (a.py:0) python 2000000000 1",
                          "h (a.py:0) python 1000000000 1", "h (a.py:0) python 1000000000 1"));
  EXPECT_EQ(profile.value().codes[1].first_line, 5u + (1u << 15));
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("functions that make no sense: 3"));
}

TEST(Pstats, ValuesThatHoldThemselvesAreRefused) {
  const std::string loop = std::string("\xa9") + "\x01" + "r" + Bytes(uint32_t{0});
  EXPECT_FALSE(Import(loop, "pstats").ok());
  EXPECT_FALSE(Import("{" + loop + "N0", "pstats").ok());
  EXPECT_FALSE(Import(std::string(1'000'000, '{'), "pstats").ok());
  std::string nested;
  for (int i = 0; i < 1'000'000; ++i) nested += ")\x01";
  EXPECT_FALSE(Import(nested, "pstats").ok());
}

TEST(Pstats, OneDictReferredToManyTimesIsBounded) {
  std::string callers = "\xfb";  // a dict that is referred to
  for (int i = 0; i < 1000; ++i) callers += Key(("c" + std::to_string(i)).c_str()) + Integer(1);
  std::string file = "{" + Key("f0") + Stats(1, 1, 1, callers + "0");
  for (int i = 1; i < 5000; ++i)
    file += Key(("f" + std::to_string(i)).c_str()) + Stats(1, 1, 1, "r" + Bytes(uint32_t{0}));
  const auto profile = Import(file + "0");
  ASSERT_FALSE(profile.ok());
  EXPECT_THAT(profile.error().message, HasSubstr("more callers than it has bytes"));
}

TEST(Pstats, TimesThatCannotBeAreCounted) {
  const auto profile = Import(Dict({Key("f"), Stats(1, -1, 1), Key("g"), Stats(1, std::nan(""), 1),
                                    Key("h"), Stats(1, 1e300, 1), Key("i"), Stats(1, 1, 1)}));
  EXPECT_EQ(profile.value().samples.size(), 1u);
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("functions that make no sense: 3"));
}

TEST(Pstats, OtherFilesAreNotTakenForIt) {
  for (const std::string_view text : {"{\"a\": 1}", "{(", "{0", "{)\x03\x03", "c"})
    EXPECT_FALSE(RecognisesPstats(text, true)) << text;
}

TEST(Pstats, WhateverIsBroken) { ExpectSoundWhenDamaged(File(), "pstats"); }

}  // namespace
}  // namespace pyrometer::import_
