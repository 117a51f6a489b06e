// SPDX-License-Identifier: Apache-2.0
#include "analyze/workers/charge_workers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using enum format::Activity;

constexpr char kLibrary[] = "/v/lib/python3.12/site-packages/";

// A run with times: what is added ends at a time and has taken so long until then.
class TimedRun {
 public:
  TimedRun& Thread(uint64_t tid) {
    builder_.Thread(tid, "thread");
    return *this;
  }
  TimedRun& Process(uint64_t pid, uint64_t parent) {
    builder_.Process(pid, 0, 10);
    builder_.profile().processes.back().info.parent_pid = parent;
    return *this;
  }
  TimedRun& Until(double end_s, double seconds, format::Activity activity,
                  const std::string& stack) {
    builder_.Add(stack, activity, seconds);
    builder_.profile().samples.time_ns.back() = static_cast<uint64_t>(std::llround(end_s * 1e9));
    return *this;
  }
  // On-CPU samples of 10 ms each.
  TimedRun& Busy(double begin_s, double end_s, format::Activity activity,
                 const std::string& stack) {
    for (double at = begin_s + 0.01; at < end_s + 0.001; at += 0.01)
      Until(at, 0.01, activity, stack);
    return *this;
  }
  profile::Profile& profile() { return builder_.profile(); }

  // The stack of the last sample, root first, after the workers were charged.
  std::string LastStack() {
    ChargeWorkers(profile());
    return Text(profile().samples.stack.back());
  }
  // Seconds of workers at the line, once charged.
  double WorkerSeconds(uint32_t line) {
    ChargeWorkers(profile());
    const Report report = BuildReport(profile(), {});
    double seconds = 0;
    for (const FileStats& file : report.merged.files)
      for (const LineStats& stats : file.lines)
        if (file.in_scope && stats.line == line)
          seconds += static_cast<double>(stats.scoped.worker_ns()) * 1e-9;
    return seconds;
  }

 private:
  std::string Text(format::StackId stack) const {
    const profile::Profile& profile = builder_.Build();
    std::string text;
    for (; stack != format::kEmptyStack; stack = profile.stacks[stack.value].parent) {
      const format::FrameInfo& frame = profile.frames[profile.stacks[stack.value].frame.value];
      std::string name;
      switch (frame.kind) {
        case format::FrameKind::kPython:
          name = profile.Text(profile.codes[frame.code.value].qualname) + ":" +
                 std::to_string(frame.line);
          break;
        case format::FrameKind::kNative:
          name = "[" + profile.Text(profile.modules[frame.module.value].path) + "]";
          break;
        case format::FrameKind::kSpecial:
          name = profile.Text(frame.name);
          break;
      }
      text = text.empty() ? name : name + " > " + text;
    }
    return text;
  }

  testing::ProfileBuilder builder_;
};

std::string Joblib(const std::string& place) { return kLibrary + ("joblib/parallel.py|" + place); }

TEST(ChargeWorkers, NativeThreadsAreOfTheLineThatIsInTheSameLibrary) {
  TimedRun run;
  run.Busy(0, 1, kNative, "main:5 > dgemm [libblas.so]");
  run.Thread(101).Busy(0, 1, kNative, "clone [libc.so.6] > kernel [libblas.so]");
  EXPECT_EQ(run.LastStack(), "main:5 > <worker threads> > [libc.so.6] > [libblas.so]");
  EXPECT_NEAR(run.WorkerSeconds(5), 1, 1e-6);
}

TEST(ChargeWorkers, TheCallerOfAnotherLibraryDoesNotWaitForThem) {
  TimedRun run;
  run.Busy(0, 1, kNative, "main:5 > dumps [_json.so]");
  run.Thread(101).Busy(0, 1, kNative, "clone [libc.so.6] > spin [libblas.so]");
  EXPECT_EQ(run.LastStack(), "[libc.so.6] > [libblas.so]");
}

TEST(ChargeWorkers, NorDoesOneThatRunsPythonOrSleepsOrWantsTheGil) {
  for (const format::Activity activity : {kPython, kSleep, kGilWait, kOtherWait}) {
    TimedRun run;
    run.Until(1, 1, activity, "main:5");
    run.Thread(101).Until(0.5, 0.01, kNative, "spin [libblas.so]");
    EXPECT_EQ(run.LastStack(), "[libblas.so]");
  }
}

TEST(ChargeWorkers, WhoIsBlockedWaits) {
  for (const format::Activity activity : {kLockWait, kIoWait, kChildWait}) {
    TimedRun run;
    run.Until(1, 1, activity, "main:5");
    run.Thread(101).Until(0.5, 0.01, kKernel, "work [libpool.so]");
    EXPECT_EQ(run.LastStack(), "main:5 > <worker threads> > [libpool.so]");
  }
}

TEST(ChargeWorkers, TheDriverIsWhoWaitsAtThatMoment) {
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5").Until(2, 1, kSleep, "main:6").Until(3, 1, kIoWait, "main:7");
  run.Thread(101).Busy(0, 3, kNative, "work [libpool.so]");
  EXPECT_NEAR(run.WorkerSeconds(5), 1, 0.021);
  EXPECT_EQ(run.WorkerSeconds(6), 0);
  EXPECT_NEAR(run.WorkerSeconds(7), 1, 0.021);
}

TEST(ChargeWorkers, ACallerInTheRunQueueStillTakesPart) {
  TimedRun run;
  // As it is written: the wait for a CPU comes after the sample that follows it.
  run.Until(0.1, 0.01, kNative, "main:5 > dgemm [libblas.so]");
  run.Until(0.3, 0.01, kNative, "main:5 > dgemm [libblas.so]");
  run.Until(0.31, 0.19, kRunWait, "main:5 > dgemm [libblas.so]");
  run.Thread(101).Until(0.2, 0.01, kNative, "kernel [libblas.so]");
  EXPECT_EQ(run.LastStack(), "main:5 > <worker threads> > [libblas.so]");
}

TEST(ChargeWorkers, ALibraryThatSleepsLooksForResults) {
  TimedRun run;
  run.Until(1, 1, kSleep, "main:5 > " + Joblib("_retrieve:99"));
  run.Thread(101).Until(0.5, 0.01, kNative, Joblib("worker:3") + " > build [_tree.so]");
  EXPECT_EQ(run.LastStack(), "main:5 > _retrieve:99 > <worker threads> > worker:3 > [_tree.so]");
}

TEST(ChargeWorkers, ThreadsInTheUsersCodeStayWhereTheyAre) {
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5");
  run.Thread(101).Until(0.5, 0.01, kNative, "work:8 > build [_tree.so]");
  EXPECT_EQ(run.LastStack(), "work:8 > [_tree.so]");
}

TEST(ChargeWorkers, AThreadInTheSameLibraryComesBeforeTheMainOne) {
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5 > /usr/lib/python3.12/threading.py|join:1");
  run.Thread(101).Busy(0, 1, kNative, "compute:8 > dgemm [libblas.so]");
  run.Thread(102).Until(0.5, 0.01, kNative, "kernel [libblas.so]");
  EXPECT_EQ(run.LastStack(), "compute:8 > <worker threads> > [libblas.so]");
}

TEST(ChargeWorkers, WhereSeveralMightBeMeantItIsNobodys) {
  TimedRun run;
  run.Busy(0, 1, kPython, "main:5");
  run.Thread(101).Until(1, 1, kLockWait, "first:8");
  run.Thread(102).Until(1, 1, kLockWait, "second:9");
  run.Thread(103).Until(0.5, 0.01, kNative, "kernel [libblas.so]");
  EXPECT_EQ(run.LastStack(), "[libblas.so]");
}

TEST(ChargeWorkers, SeveralAtOneLineMeanThatLine) {
  TimedRun run;
  run.Busy(0, 1, kPython, "main:5");
  run.Thread(101).Until(1, 1, kLockWait, "first:8");
  run.Thread(102).Until(1, 1, kLockWait, "first:8");
  run.Thread(103).Until(0.5, 0.01, kNative, "kernel [libblas.so]");
  EXPECT_EQ(run.LastStack(), "first:8 > <worker threads> > [libblas.so]");
}

TEST(ChargeWorkers, ProcessesAreOfTheLineThatWaitsInTheNearestAncestor) {
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5 > " + Joblib("call:9"));
  run.Process(200, 100).Until(1, 1, kIoWait, "/usr/lib/python3.12/forkserver.py|serve:1");
  run.Process(300, 200).Until(0.5, 0.01, kNative, Joblib("worker:3") + " > fit [_tree.so]");
  EXPECT_EQ(run.LastStack(), "main:5 > call:9 > <worker processes> > worker:3 > [_tree.so]");
}

TEST(ChargeWorkers, APoolInAWorkerProcessIsOfTheWorkersLine) {
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5");
  run.Process(200, 100).Busy(0, 1, kNative, "compute:8 > dgemm [libblas.so]");
  run.Thread(201).Until(0.5, 0.01, kNative, "kernel [libblas.so]");
  EXPECT_EQ(run.LastStack(), "compute:8 > <worker threads> > [libblas.so]");
}

TEST(ChargeWorkers, APoolThatSpinsInAWorkerProcessIsNotOfTheParent) {
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5");
  run.Process(200, 100).Busy(0, 1, kPython, "compute:8");
  run.Thread(201).Until(0.5, 0.01, kNative, "spin [libblas.so]");
  EXPECT_EQ(run.LastStack(), "[libblas.so]");
}

TEST(ChargeWorkers, WhatAForkedProcessHasInheritedIsNotItsOwn) {
  const std::string inherited = "main:4 > /usr/lib/python3.12/multiprocessing/process.py|";
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5 > /usr/lib/python3.12/multiprocessing/pool.py|map:1");
  run.Process(200, 100).Until(
      0.5, 0.01, kNative,
      inherited +
          "start:1 > /usr/lib/python3.12/multiprocessing/process.py|_bootstrap:2 > fit [_tree.so]");
  EXPECT_EQ(run.LastStack(), "main:5 > map:1 > <worker processes> > _bootstrap:2 > [_tree.so]");
}

TEST(ChargeWorkers, ButWhatItRunsOfTheUsersIs) {
  const std::string stack =
      "main:4 > /usr/lib/python3.12/multiprocessing/process.py|_bootstrap:2 > work:8";
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5");
  run.Process(200, 100).Until(0.5, 0.01, kPython, stack);
  EXPECT_EQ(run.LastStack(), "main:4 > _bootstrap:2 > work:8");
}

TEST(ChargeWorkers, TheMainThreadOfAProgramWorksForNobody) {
  TimedRun run;
  run.Until(0.5, 0.01, kNative, "work [libpool.so]");
  run.Thread(101).Until(1, 1, kLockWait, "other:5");
  const std::vector<format::StackId> before = run.profile().samples.stack;
  ChargeWorkers(run.profile());
  EXPECT_EQ(run.profile().samples.stack, before);
}

TEST(ChargeWorkers, WithoutTheUsersCodeTheLibraryOfTheMainThreadWaits) {
  TimedRun run;
  run.Until(1, 1, kLockWait, Joblib("main:9"));
  run.Thread(101).Until(0.5, 0.01, kNative, "work [libpool.so]");
  EXPECT_EQ(run.LastStack(), "main:9 > <worker threads> > [libpool.so]");
}

TEST(ChargeWorkers, SumsStayAndASecondTimeChangesNothing) {
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5");
  run.Thread(101).Busy(0, 1, kNative, "work [libpool.so]");
  const Report before = BuildReport(run.profile(), {});
  ChargeWorkers(run.profile());
  const Report after = BuildReport(run.profile(), {});
  EXPECT_EQ(before.merged.total.cpu().ns, after.merged.total.cpu().ns);
  EXPECT_EQ(before.merged.outside.cpu().ns, after.merged.total.worker_ns());
  EXPECT_EQ(after.merged.outside.cpu().ns, 0u);
  EXPECT_EQ(after.merged.threads[1].time.worker_ns(), after.merged.total.worker_ns());
  const std::vector<format::StackId> once = run.profile().samples.stack;
  const size_t stacks = run.profile().stacks.size();
  ChargeWorkers(run.profile());
  EXPECT_EQ(run.profile().samples.stack, once);
  EXPECT_EQ(run.profile().stacks.size(), stacks);
}

TEST(ChargeWorkers, AnotherToolsSamplesAreLeftAlone) {
  TimedRun run;
  run.Until(1, 1, kLockWait, "main:5");
  run.Thread(101).Until(0.5, 0.01, kNative, "work [libpool.so]");
  run.profile().counters.push_back(
      {.key = metric::KeyOf(metric::Counter::kImportedFrom, "py-spy"), .value = 1});
  EXPECT_EQ(run.LastStack(), "[libpool.so]");
}

}  // namespace
}  // namespace pyrometer::analyze
