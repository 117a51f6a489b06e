// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/fake_engine.h"

#include <atomic>
#include <cstddef>

#include "agent/core/engine.h"
#include "agent/engines/cpu/cpu_timer_engine.h"
#include "agent/engines/memory/memory_engine.h"

namespace pyrometer::agent {
namespace {

// Of a thread: whether it was given its own part, and one that nobody has used before.
struct FakeThread {
  static constexpr uint64_t kOurs = 0x66616b65;
  uint64_t mark;
};
constinit ThreadPart<FakeThread> g_part;

constexpr size_t kMost = 1 << 16;
std::atomic<const char*> g_told[kMost];
std::atomic<size_t> g_count;

void Note(const char* what) {
  const size_t i = g_count.fetch_add(1);
  if (i < kMost) g_told[i] = what;
}

bool StartThread(ThreadRecord* record, const Subject&) {
  uint64_t& mark = g_part.Of(record).mark;
  Note(mark == 0 ? "thread_start" : "thread_goes_on");
  mark = FakeThread::kOurs;
  return true;
}

void EndThread(ThreadRecord* record) {
  uint64_t& mark = g_part.Of(record).mark;
  Note(mark == FakeThread::kOurs ? "thread_end" : "thread_end_of_nobody");
  mark = 0;
}

constinit const Engine kFakeEngine = {
    .name = "fake",
    .thread_part = &g_part,
    .prepare = [] { Note("prepare"); },
    .describe = [](transport::RingHeader*) { Note("describe"); },
    .start = [](const Moment&) { Note("start"); },
    .stop = [] { Note("stop"); },
    .pause = [] { Note("pause"); },
    .resume = [] { Note("resume"); },
    .thread_start = StartThread,
    .thread_end = EndThread,
    .fork_child = [](bool on) { Note(on ? "fork_child" : "fork_child_off"); },
    .on_signal = nullptr,
};

constexpr const Engine* kList[] = {&kCpuTimerEngine, &kMemoryEngine, &kFakeEngine};

}  // namespace

constinit const std::span<const Engine* const> kEngines(kList);

std::string TakeTold() {
  std::string told;
  const size_t count = g_count.exchange(0);
  for (size_t i = 0; i < count && i < kMost; ++i) {
    if (i != 0) told += ' ';
    told += g_told[i].load();
  }
  return told;
}

}  // namespace pyrometer::agent
