// SPDX-License-Identifier: Apache-2.0
#include "tui/text/markdown_text.h"

#include <gtest/gtest.h>

namespace pyrometer::tui {
namespace {

TEST(MarkdownText, MarkupBecomesReferences) {
  EXPECT_EQ(MarkdownText("a b 1"), "a b 1");
  EXPECT_EQ(MarkdownText("<b>"), "&#60;b&#62;");
  EXPECT_EQ(MarkdownText("a|b"), "a&#124;b");
  EXPECT_EQ(MarkdownText("*x*"), "&#42;x&#42;");
  EXPECT_EQ(MarkdownText("@me #1"), "&#64;me &#35;1");
  EXPECT_EQ(MarkdownText("&lt;"), "&#38;lt&#59;");
  EXPECT_EQ(MarkdownText("名"), "名");
  EXPECT_EQ(MarkdownText("8.0 ms (3 %), cpu-timer"), "8.0 ms (3 %), cpu-timer");
  EXPECT_EQ(MarkdownText("www.x.org http://x"), "www&#46;x&#46;org http&#58;//x");
  EXPECT_EQ(MarkdownText("- x\n1. y"), "&#45; x&#10;1&#46; y");
}

TEST(MarkdownCode, BackticksWhereSafe) {
  EXPECT_EQ(MarkdownCode("  x = [1] * 2 "), "`x = [1] * 2`");
  EXPECT_EQ(MarkdownCode("<script>"), "`<script>`");
  EXPECT_EQ(MarkdownCode("b'\\n'"), "`b'\\n'`");
  EXPECT_EQ(MarkdownCode("a | b"), "<code>a &#124; b</code>");
  EXPECT_EQ(MarkdownCode("a \\| b"), "<code>a &#92;&#124; b</code>");
  EXPECT_EQ(MarkdownCode("`</code>"), "<code>&#96;&#60;/code&#62;</code>");
  EXPECT_EQ(MarkdownCode("  "), "");
}

TEST(MarkdownBlock, TheFenceIsLongerThanAnyInside) {
  EXPECT_EQ(MarkdownBlock("x\n"), "```text\nx\n```\n");
  EXPECT_EQ(MarkdownBlock("a````b"), "`````text\na````b\n`````\n");
}

}  // namespace
}  // namespace pyrometer::tui
