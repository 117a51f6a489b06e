// SPDX-License-Identifier: Apache-2.0
#include "export/stream/json_stream.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace pyrometer::export_ {
namespace {

TEST(JsonStreamTest, PiecesMakeAWhole) {
  std::ostringstream out;
  JsonStream json(out);
  json.Object().Member("a", 1).Key("b").Array().Value("x").Value(true).Null().Array().End();
  json.End().Key("c").Object().End().End();
  EXPECT_EQ(out.str(), "{\"a\":1,\"b\":[\"x\",true,null,[]],\"c\":{}}\n");
}

TEST(JsonStreamTest, TextsAreTexts) {
  const std::string text("\"\\\n\0\x7f</script>ü", 17);
  std::ostringstream out;
  JsonStream(out).Array().Value(text).End();
  EXPECT_EQ(nlohmann::json::parse(out.str())[0], text);
  EXPECT_EQ(out.str().find('<'), std::string::npos);
}

TEST(JsonStreamTest, FractionsKeepAllDigits) {
  std::ostringstream out;
  JsonStream json(out);
  json.Array().Fraction(1'234'567, 1000).Fraction(2'000, 1000).Fraction(1'002'003, 1'000'000).End();
  EXPECT_EQ(out.str(), "[1234.567,2,1.002003]\n");
}

}  // namespace
}  // namespace pyrometer::export_
