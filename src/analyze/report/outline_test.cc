// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/outline.h"

#include <gtest/gtest.h>

#include "analyze/build_report.h"
#include "analyze/testing/example_profile.h"

namespace pyrometer::analyze {
namespace {

TEST(OutlineTest, SaysWhatTheReportSays) {
  const testing::ProfileBuilder example = testing::ExampleProfile();
  const Report report = BuildReport(example.Build(), {}), outline = BuildOutline(example.Build());
  ASSERT_EQ(outline.processes.size(), report.processes.size());
  for (size_t i = 0; i < report.processes.size(); ++i) {
    const ProcessReport &full = report.processes[i], &bare = outline.processes[i];
    EXPECT_EQ(bare.pid, full.pid);
    EXPECT_EQ(bare.argv, full.argv);
    EXPECT_EQ(bare.start_ns, full.start_ns);
    EXPECT_EQ(bare.view.elapsed_ns, full.view.elapsed_ns);
    ASSERT_EQ(bare.view.threads.size(), full.view.threads.size());
    for (size_t j = 0; j < full.view.threads.size(); ++j) {
      EXPECT_EQ(bare.view.threads[j].name, full.view.threads[j].name);
      EXPECT_EQ(bare.view.threads[j].main, full.view.threads[j].main);
      EXPECT_EQ(bare.view.threads[j].end_ns, full.view.threads[j].end_ns);
    }
  }
  EXPECT_TRUE(outline.merged.memory.recorded);
  EXPECT_FALSE(BuildOutline(testing::WithoutMemory(example).Build()).merged.memory.recorded);
}

}  // namespace
}  // namespace pyrometer::analyze
