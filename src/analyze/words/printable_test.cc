// SPDX-License-Identifier: Apache-2.0
#include "analyze/words/printable.h"

#include <gtest/gtest.h>

namespace pyrometer::analyze {
namespace {

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(Printable("a\x1b[2Jb\r\n\x7f", true), "a\\x1b[2Jb\\x0d\\x0a\\x7f");
  EXPECT_EQ(Printable("\u0085\u202eabc\u2066", true), "\\x85\\u202eabc\\u2066");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(Printable("\xff\xc0\xaf\xe2\x82", true), "\\xff\\xc0\\xaf\\xe2\\x82");
  EXPECT_EQ(Printable("\xed\xa0\x80", true), "\\xed\\xa0\\x80");
}

TEST(Printable, ExpandsTabsToStops) {
  EXPECT_EQ(Printable("\ta\tbc\t", true), "    a   bc  ");
  EXPECT_EQ(Printable("日\tx", true), "日  x");
}

TEST(Printable, AsciiHasOneMarkForEachForeignCharacter) {
  EXPECT_EQ(Printable("é日x", false), "??x");
}

}  // namespace
}  // namespace pyrometer::analyze
