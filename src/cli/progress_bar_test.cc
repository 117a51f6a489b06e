// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.h"

#include <gtest/gtest.h>

namespace pyrometer::cli {
namespace {

TEST(ProgressLineTest, ShowsHowFarTheWorkIs) {
  EXPECT_EQ(ProgressLine("reading", 0, 80), "reading [..............................]   0 %");
  EXPECT_EQ(ProgressLine("reading", 0.5, 80), "reading [###############...............]  50 %");
  EXPECT_EQ(ProgressLine("reading", 1, 80), "reading [##############################] 100 %");
}

TEST(ProgressLineTest, FitsAnyTerminal) {
  EXPECT_EQ(ProgressLine("reading", 0.5, 28), "reading [#####.....]  50 %");
  EXPECT_EQ(ProgressLine("reading", 0.5, 12), " 50 %");
  for (size_t columns = 1; columns < 100; ++columns)
    for (const double share : {0.0, 0.3, 1.0})
      EXPECT_LE(ProgressLine("reading", share, columns).size(), columns) << columns;
}

}  // namespace
}  // namespace pyrometer::cli
