// SPDX-License-Identifier: Apache-2.0
#include "analyze/views/tasks.h"

#include <gtest/gtest.h>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
using enum format::AwaitState;

// Two workers and who waits for them; `library` is not in scope.
testing::ProfileBuilder Workers() {
  const char* const library = "/usr/lib/python3.12/asyncio/tasks.py|sleep@600:620";
  const std::string in_worker = std::string("worker@4:8 > fetch@1:2 > ") + library;
  testing::ProfileBuilder builder;
  builder.Task("main@10:12", "main").Await("main@10:12", kSuspended, 4, 9);
  builder.Task("worker@4:8", "first")
      .Await(in_worker, kSuspended, 3, 5)
      .Await(in_worker, kReady, 0.5, 1)
      .Add("run:1 > worker@4:9", format::Activity::kPython, 2, 7);
  builder.Task("worker@4:8", "second")
      .Await(in_worker, kSuspended, 1, 2)
      .Await("worker@4:6", kSuspended, 0.25);
  builder.Held("run:1 > worker@4:9", 1, 0.06)
      .Held("run:1 > worker@4:9", 2, 0.09)
      .Held("run:1 > main@10:11", 3, 0.07);
  return builder;
}

TEST(TasksTest, AreMadeByTheLineInScopeThatMadeMost) {
  const char* const library = "/usr/lib/python3.12/asyncio/tasks.py|create_task@400:410";
  testing::ProfileBuilder builder;
  for (const char* line : {"main@10:12 > ", "main@10:14 > ", "main@10:14 > "})
    builder.Task("worker@4:8", "").MadeBy(std::string(line) + library);
  builder.Task("other@20:21", "").MadeBy(library);
  builder.Task("unknown@30:31", "");
  const Report report = BuildReport(builder.Build(), {});
  const auto made_at = [&](std::string_view coroutine) {
    for (const TaskStats& row : report.tasks)
      if (row.coroutine == coroutine) return row.made_at;
    return Place{.path = "none", .function = "", .line = 0};
  };
  EXPECT_EQ(made_at("worker").function, "main");
  EXPECT_EQ(made_at("worker").line, 14u);
  EXPECT_EQ(made_at("other").function, "create_task");
  EXPECT_EQ(made_at("unknown"), Place());
}

TEST(TasksTest, AddUpByCoroutine) {
  const Report report = BuildReport(Workers().Build(), {});
  ASSERT_EQ(report.tasks.size(), 2u);
  EXPECT_EQ(report.tasks[0].coroutine, "worker");
  EXPECT_EQ(report.tasks[0].first_line, 4u);
  EXPECT_EQ(report.tasks[0].tasks, 2u);
  EXPECT_EQ(report.tasks[0].name, "first");
  EXPECT_EQ(report.tasks[0].cpu_ns, 2 * kSecond);
  EXPECT_EQ(report.tasks[0].samples, 7u);
  EXPECT_EQ(report.tasks[0].time.suspended_ns, 4 * kSecond + kSecond / 4);
  EXPECT_EQ(report.tasks[0].time.ready_ns, kSecond / 2);
  EXPECT_EQ(report.tasks[1].coroutine, "main");
}

TEST(TasksTest, AwaitsAreAtTheInnermostLineInScope) {
  const Report report = BuildReport(Workers().Build(), {});
  ASSERT_EQ(report.awaits.size(), 3u);
  EXPECT_EQ(report.awaits[0].place, (Place{"app.py", "fetch", 2}));
  EXPECT_EQ(report.awaits[0].awaited, "sleep");
  EXPECT_EQ(report.awaits[0].tasks, 2u);
  EXPECT_EQ(report.awaits[0].time.ns(), 4 * kSecond + kSecond / 2);
  EXPECT_EQ(report.awaits[0].time.samples, 8u);
  ASSERT_EQ(report.awaits[0].chains.size(), 1u);
  EXPECT_EQ(report.awaits[0].chains[0].frames.front(), (Place{"app.py", "worker", 8}));
  EXPECT_EQ(report.awaits[0].chains[0].frames.size(), 3u);
  EXPECT_EQ(report.awaits[1].place, (Place{"app.py", "main", 12}));
  EXPECT_EQ(report.awaits[1].awaited, "");
}

TEST(TasksTest, AwaitsAreInTheLinesButInNoOtherSum) {
  const View view = BuildReport(Workers().Build(), {}).merged;
  EXPECT_EQ(view.total.await_ns(), 8 * kSecond + 3 * kSecond / 4);
  EXPECT_EQ(view.total.cpu().ns, 2 * kSecond);
  EXPECT_EQ(view.total.wait().ns, 0u);
  ASSERT_FALSE(view.files.empty());
  size_t seen = 0;
  for (const LineStats& line : view.files[0].lines) {
    seen += line.line == 2 || line.line == 8;
    if (line.line == 2) {
      EXPECT_EQ(line.self.await_ns(), 0u);
      EXPECT_EQ(line.scoped.await_ns(), 4 * kSecond + kSecond / 2);
    }
    if (line.line == 8) {
      EXPECT_EQ(line.scoped.await_ns(), 0u);
      EXPECT_EQ(line.total.await_ns(), 4 * kSecond + kSecond / 2);
    }
  }
  EXPECT_EQ(seen, 2u);
}

TEST(TasksTest, LoopBlocksAddUpByLine) {
  const Report report = BuildReport(Workers().Build(), {});
  ASSERT_EQ(report.loop_blocks.size(), 2u);
  EXPECT_EQ(report.loop_blocks[0].place, (Place{"app.py", "worker", 9}));
  EXPECT_EQ(report.loop_blocks[0].count, 2u);
  EXPECT_EQ(report.loop_blocks[0].total_ns, 150'000'000u);
  EXPECT_EQ(report.loop_blocks[0].longest_ns, 90'000'000u);
  EXPECT_EQ(report.loop_blocks[0].begin_ns, 2 * kSecond);
  EXPECT_EQ(report.loop_blocks[0].stack.size(), 2u);
}

}  // namespace
}  // namespace pyrometer::analyze
