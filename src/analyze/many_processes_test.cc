// SPDX-License-Identifier: Apache-2.0
// That a report of many processes takes as much for each of them as one of few. Counted are the
// bytes that it asks for, which are the same on any machine; a program of its own, because it
// replaces what allocates them.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace {

std::atomic<size_t> allocated_bytes = 0;

void* Allocate(size_t size) {
  allocated_bytes += size;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(size_t size) {
  if (void* memory = Allocate(size)) return memory;
  throw std::bad_alloc();
}
// std::stable_sort asks for its room in this way.
void* operator new(size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace pyrometer::analyze {
namespace {

using testing::Exactly;

// Each process has two threads, a few lines of its own, and memory.
void AddProcess(testing::ProfileBuilder& profile, int number) {
  const std::string file = "app" + std::to_string(number % 7) + ".py|";
  const std::string caller = file + "main:" + std::to_string(number) + " > ";
  const auto pid = static_cast<uint64_t>(1000 + 10 * number);
  profile.Process(pid, 0, 10);
  for (uint64_t thread : {0, 1}) {
    if (thread != 0) profile.Thread(pid + thread, "worker");
    profile.Add(caller + file + "load:7", format::Activity::kPython, 1)
        .Add(caller + file + "load:7 > read [libc.so]", format::Activity::kIoWait, 1)
        .Memory(caller + file + "load:8", format::MemoryKind::kPython, 1, Exactly(1000))
        .Memory(caller + file + "load:8", format::MemoryKind::kPython, 2, {}, Exactly(1000));
  }
  profile.Peak(1, caller + file + "load:8", format::MemoryKind::kPython, Exactly(2000))
      .Survivor(9, caller + file + "load:9", format::MemoryKind::kNative, "", Exactly(10))
      .Level(1, {.rss_bytes = 5'000'000, .python_bytes = 2000})
      .Counter(format::CounterKind::kFact, "memory_by_pieces", 1);
}

size_t BytesForReport(int processes, bool process_rows) {
  testing::ProfileBuilder profile;
  for (int i = 0; i < processes; ++i) AddProcess(profile, i);
  const size_t before = allocated_bytes;
  const Report report = BuildReport(profile.Build(), {.process_rows = process_rows});
  EXPECT_EQ(report.processes.size(), static_cast<size_t>(processes) + 1);
  return allocated_bytes - before;
}

class ManyProcessesTest : public ::testing::TestWithParam<bool> {};

TEST_P(ManyProcessesTest, EachTakesNoMoreThanWithFew) {
  const double few = static_cast<double>(BytesForReport(300, GetParam()));
  const double many = static_cast<double>(BytesForReport(1200, GetParam()));
  EXPECT_LT(many / few, 4.6);
}

INSTANTIATE_TEST_SUITE_P(RowsOfEach, ManyProcessesTest, ::testing::Bool());

}  // namespace
}  // namespace pyrometer::analyze
