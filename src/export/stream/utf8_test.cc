// SPDX-License-Identifier: Apache-2.0
#include "export/stream/utf8.h"

#include <gtest/gtest.h>

namespace pyrometer::export_ {
namespace {

constexpr char kReplacement[] = "\xef\xbf\xbd";

TEST(ValidUtf8, KeepsWhatIsValid) {
  std::string text("a\0b", 3);
  text += "é€😀\x7f\u0080\ud7ff\ue000\uffff\U0010ffff";
  EXPECT_EQ(ValidUtf8(text), text);
  EXPECT_EQ(ValidUtf8(""), "");
}

TEST(ValidUtf8, ReplacesEachBrokenSequenceOnce) {
  EXPECT_EQ(ValidUtf8("a\xff!"), std::string("a") + kReplacement + "!");
  EXPECT_EQ(ValidUtf8("\xe2\x82"), kReplacement);
  EXPECT_EQ(ValidUtf8("\xe2\x82x"), std::string(kReplacement) + "x");
  EXPECT_EQ(ValidUtf8("\x80\x80"), std::string(kReplacement) + kReplacement);
}

TEST(ValidUtf8, RefusesWhatOnlyLooksValid) {
  // Overlong, a surrogate, and beyond the last character.
  for (const char* text : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80", "\xf0\x80\x80\xaf"})
    EXPECT_TRUE(ValidUtf8(text).starts_with(kReplacement)) << text;
}

}  // namespace
}  // namespace pyrometer::export_
