// SPDX-License-Identifier: Apache-2.0
#include "os/process_watch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pyrometer::os {
namespace {

constexpr char kForgotten[] = "this kernel does not tell how a process ended that was reaped";

pid_t Sleeper() {
  const pid_t pid = fork();
  if (pid == 0) {
    pause();
    _exit(0);
  }
  return pid;
}

TEST(ProcessWatchTest, RunsAndEndsBySignal) {
  const pid_t pid = Sleeper();
  const ProcessWatch watch(pid);
  EXPECT_FALSE(watch.Ended());
  kill(pid, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(watch.Ended());
  const auto seen = watch.Status();
  if (!seen) GTEST_SKIP() << kForgotten;
  EXPECT_EQ(*seen, status);
}

TEST(ProcessWatchTest, EndsBeforeItIsReaped) {
  const pid_t pid = fork();
  if (pid == 0) _exit(7);
  const ProcessWatch watch(pid);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(watch.Ended());
  waitpid(pid, nullptr, 0);
  const auto seen = watch.Status();
  if (!seen) GTEST_SKIP() << kForgotten;
  EXPECT_EQ(WEXITSTATUS(*seen), 7);
}

TEST(ProcessWatchTest, TellsHowItEndedBeforeItIsReaped) {
  const pid_t pid = Sleeper();
  const ProcessWatch watch(pid);
  kill(pid, SIGTERM);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
  const auto seen = watch.Status();
  waitpid(pid, nullptr, 0);
  ASSERT_TRUE(seen);
  EXPECT_TRUE(WIFSIGNALED(*seen));
  EXPECT_EQ(WTERMSIG(*seen), SIGTERM);
}

TEST(ProcessWatchTest, NumberOfNobody) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  waitpid(pid, nullptr, 0);
  const ProcessWatch watch(pid);
  EXPECT_TRUE(watch.Ended());
  EXPECT_FALSE(watch.Status());
}

}  // namespace
}  // namespace pyrometer::os
