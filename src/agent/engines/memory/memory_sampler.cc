// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/memory_sampler.h"

#include <algorithm>
#include <atomic>

#include "agent/core/agent.h"
#include "agent/core/clock.h"
#include "agent/core/in_recording.h"
#include "agent/core/recording_state.h"
#include "agent/core/signals_blocked.h"
#include "agent/core/stack_sampler.h"
#include "agent/core/task_facts.h"
#include "agent/core/thread_registry.h"
#include "agent/engines/memory/python_memory.h"
#include "agent/engines/memory/seen_stacks.h"

namespace pyrometer::agent {

constinit thread_local MemoryThread t_memory{};
constinit SampledBlocks g_sampled_blocks{};
constinit LargeBlocks g_large_blocks{};
constinit ThreadPart<SeenStacks> g_seen_stacks;

namespace {

using transport::MemoryKind;
using transport::RecordType;

// What a thread may spend on samples, as a share of its time: those of small requests, and those
// of large ones, which cost the program more themselves. The stack of a deep recursion takes long.
// In CPU time: one that shares its CPU with others gets less done in a second, and must not
// pay more for it.
constexpr uint64_t kShareOfTime = 100;
constexpr uint64_t kLargeShareOfTime = 20;
constexpr uint64_t kCopyPeriodNs = 10'000'000;
// Adaptive between these: small programs get fine profiles, and programs that
// allocate gigabytes a second pay no more for it.
constexpr uint64_t kFinest = 64 << 10;
constexpr uint64_t kCoarsest = 64 << 20;
// Requests of this size are all recorded, unless that costs too much; then larger ones are.
constexpr uint64_t kLarge = 64 << 10;
constexpr uint64_t kLargest = 1 << 20;
constexpr uint64_t kFirstCopyInterval = uint64_t{1} << 20;
// Where the user gives the interval, a request of so many of them has a sample anyway.
constexpr uint64_t kIntervalsOfLarge = 4;

std::atomic<bool> g_on;
std::atomic<bool> g_end_noted;

bool Recording() {
  const InRecording inside;
  return inside && g_on.load(std::memory_order_relaxed) && RecordingIsOn();
}

// CPU time of this thread. Without ticks there are no samples that asking for it could spoil.
uint64_t CpuNs(ThreadRecord* record, uint64_t now_ns) {
  if (record == nullptr || !record->has_ticks) return NowNs(CLOCK_THREAD_CPUTIME_ID);
  if (record->time.IsOld(now_ns)) record->time.Set(now_ns, NowNs(CLOCK_THREAD_CPUTIME_ID));
  return record->time.CpuNs(now_ns);
}

// Whether `sampler` can decide; draws for the first time if need be.
bool Ready(ByteSampler& sampler, uint32_t* recording, uint64_t first_interval,
           uint64_t first_certain, size_t bytes) {
  if (!g_on.load(std::memory_order_relaxed)) {
    // The program may load its Python later.
    constexpr int64_t kLookAgainBytes = int64_t{1} << 20;
    sampler.left = kLookAgainBytes;
    return false;
  }
  // What was drawn for another recording is of no use.
  if (*recording != g_agent.recording) {
    *recording = g_agent.recording;
    sampler = {};
  }
  if (sampler.drawn()) return true;
  constexpr uint64_t kFirstGapNs = 2'000'000;
  const uint64_t now = NowNs(CLOCK_MONOTONIC);
  sampler.Start(first_interval, first_certain, now ^ reinterpret_cast<uint64_t>(&sampler) << 16,
                CpuNs(CurrentThread(), now), kFirstGapNs);
  sampler.left -= static_cast<int64_t>(bytes);
  return sampler.left < 0;
}

// A request that is sampled.
struct Request {
  MemoryKind kind;
  uint64_t address;
  uint64_t bytes;
  ByteSampler::Decision decision;
  bool IsBlock() const { return kind == MemoryKind::kPython || kind == MemoryKind::kNative; }
};

template <class Sample>
Sample SampleOf(const Request& request, uint64_t now_ns) {
  Sample sample{};
  sample.time_ns = now_ns;
  sample.address = request.address;
  sample.bytes = request.bytes;
  sample.weight = request.decision.weight;
  sample.marks = request.decision.marks;
  sample.kind = request.kind;
  return sample;
}

// A record that is written in a few instructions needs no blocked signals, which cost more than
// all the rest, unless a handler may leave it half written for good.
template <class Sample>
bool WriteShort(const Sample& sample, RecordType type) {
  if (!g_agent.handlers_may_leave.load(std::memory_order_relaxed))
    return g_agent.ring.Write(sample, type);
  const SignalsBlocked blocked;
  return g_agent.ring.Write(sample, type);
}

// Lets the thread remember the stack that was walked, as seen by the function whose frame is at
// `frame`. Returns its number; 0 when it cannot be remembered.
uint32_t KeepSeen(ThreadRecord* record, const StackSampler& stack, uint64_t frame) {
  if (!stack.IsComplete()) return 0;
  return g_seen_stacks.Of(record).Keep(
      g_agent.interpreter.layout, stack.reader(), frame, g_agent.interpreter.ThreadState(),
      g_agent.unloads.load(std::memory_order_relaxed), stack.python(), stack.native());
}

// `frame`: where Record stands. Never inlined, so that the walk has a frame of this library to
// begin in.
__attribute__((noinline)) bool WriteSample(const SignalsBlocked&, ThreadRecord* record,
                                           const Request& request, uint64_t frame, uint64_t now) {
  auto sample = SampleOf<transport::MemorySample>(request, now);
  StackSampler stack(record, unwind::CurrentRegisters());
  // A torn one leaves the native part, with the bytes.
  const bool whole = stack.Walk() == StackSampler::Outcome::kWhole;
  stack.Merge(&sample.flags);
  if (whole && sample.flags == 0) sample.seen = KeepSeen(record, stack, frame);
  if (stack.Write(sample, RecordType::kMemorySample)) return true;
  g_seen_stacks.Of(record).Clear();
  return false;
}

bool WriteAgain(const ThreadRecord* record, const Request& request, uint32_t seen, uint64_t now) {
  auto again = SampleOf<transport::MemoryAgain>(request, now);
  again.tid = record->tid;
  again.seen = seen;
  return WriteShort(again, RecordType::kMemoryAgain);
}

// While the interpreter ends, thread states go away that threads still believe in.
uint32_t FindSeen(const ThreadRecord* record, uint64_t frame) {
  if (InterpreterEnds()) return 0;
  return g_seen_stacks.Of(record).Find(frame, g_agent.interpreter.ThreadState(),
                                       g_agent.unloads.load(std::memory_order_relaxed));
}

// The fuller the table of sampled blocks, the coarser it is filled: first with small ones.
void Adapt(ThreadRecord* record, const Request& request, uint64_t now_ns) {
  if (g_agent.options.mem_interval != 0) return;
  const uint64_t cpu_ns = CpuNs(record, now_ns);
  const size_t eighths = g_sampled_blocks.size() / (SampledBlocks::kSlots / 8);
  const uint64_t cost_ns = t_memory.cost.usual_ns();
  if (request.kind == MemoryKind::kCopied) {
    const uint64_t period_ns = std::max(kCopyPeriodNs, cost_ns * kShareOfTime);
    if (request.decision.marks == 0)
      t_memory.copies.AdaptCertain(cpu_ns, period_ns, {kFirstCopyInterval, kCoarsest});
    else
      t_memory.copies.AdaptInterval(cpu_ns, period_ns, {kFirstCopyInterval, kCoarsest});
  } else if (request.decision.marks == 0) {
    constexpr size_t kEighthsOfSmall = 4;
    const uint64_t finest = kLarge << (eighths > kEighthsOfSmall ? eighths - kEighthsOfSmall : 0);
    t_memory.requests.AdaptCertain(cpu_ns, cost_ns * kLargeShareOfTime, {finest, kLargest});
  } else {
    t_memory.requests.AdaptInterval(cpu_ns, cost_ns * kShareOfTime,
                                    {kFinest << eighths, kCoarsest});
  }
}

__attribute__((noinline)) void Record(const Request& request) {
  const InRecording inside;
  if (!inside) return;
  ThreadRecord* record = SampledThread();
  transport::AgentCounters& counters = g_agent.ring.header()->counters;
  if (record == nullptr || (request.IsBlock() && !g_sampled_blocks.Insert(request.address))) {
    ++counters.blocks_refused;
    return;
  }
  const auto frame = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  const uint64_t begin = NowNs(CLOCK_MONOTONIC);
  uint64_t end = begin;
  bool written;
  if (const uint32_t seen = FindSeen(record, frame); seen != 0) {
    written = WriteAgain(record, request, seen, begin);
    if (t_memory.cost.TimesNext()) {
      end = NowNs(CLOCK_MONOTONIC);
      t_memory.cost.AddTimed(end - begin);
    }
    counters.memory_ns += t_memory.cost.AddShort();
  } else {
    const SignalsBlocked blocked;
    written = WriteSample(blocked, record, request, frame, begin);
    end = NowNs(CLOCK_MONOTONIC);
    counters.memory_ns += t_memory.cost.AddWalk(end - begin);
  }
  if (request.address != 0 && request.bytes >= transport::LeastWithPages(request.kind))
    g_large_blocks.Add(request.address, request.bytes);
  if (written)
    ++counters.memory_samples;
  else if (request.IsBlock())
    g_sampled_blocks.Remove(request.address);
  Adapt(record, request, end);
}

// What there is now is what the program has left.
__attribute__((noinline)) void NoteEnd(const ThreadRecord* record, uint64_t now_ns) {
  g_agent.ring.header()->memory.resident_bytes = ReadResidentMemory().bytes;
  g_large_blocks.ForEachTaken([&](uint64_t address, uint64_t bytes) {
    transport::MemoryFree taken{};
    taken.tid = record != nullptr ? record->tid.load() : 0;
    taken.flags = transport::kTaken;
    taken.time_ns = now_ns;
    taken.address = address;
    taken.bytes = bytes;
    WriteShort(taken, RecordType::kMemoryFree);
  });
}

void WriteFree(const InRecording&, uint64_t address, uint64_t bytes, MemoryKind kind,
               uint32_t flags = 0) {
  transport::AgentCounters& counters = g_agent.ring.header()->counters;
  const ThreadRecord* record = CurrentThread();
  transport::MemoryFree freed{};
  freed.tid = record != nullptr ? record->tid.load() : 0;
  freed.flags = flags | (InterpreterEnds() ? transport::kAtExit : 0u);
  freed.time_ns = NowNs(CLOCK_MONOTONIC);
  if ((freed.flags & transport::kAtExit) != 0 && !g_end_noted.exchange(true))
    NoteEnd(record, freed.time_ns);
  freed.address = address;
  freed.bytes = bytes;
  freed.kind = kind;
  if (!WriteShort(freed, RecordType::kMemoryFree)) ++counters.frees_lost;
  counters.memory_ns += t_memory.cost.short_ns();
}

}  // namespace

ByteSampler::Decision DecideRequest(size_t bytes) {
  ByteSampler& sampler = t_memory.requests;
  const uint64_t asked = g_agent.options.mem_interval;
  const uint64_t interval = asked != 0 ? asked : kFinest;
  if (!Ready(sampler, &t_memory.requests_recording, interval,
             std::min(kLarge, kIntervalsOfLarge * interval), bytes))
    return {};
  if (const ThreadRecord* record = CurrentThread();
      record != nullptr && record->tid == g_agent.process)
    RestorePythonMemoryHooks();
  ByteSampler::Decision decision = sampler.Decide(bytes);
  if (decision.sampled && !Recording()) decision.sampled = false;
  return decision;
}

void RecordRequest(MemoryKind kind, const void* address, size_t bytes,
                   const ByteSampler::Decision& decision) {
  Record({kind, reinterpret_cast<uint64_t>(address), bytes, decision});
}

void ForgetBlock(const void* address, MemoryKind kind) {
  const auto block = reinterpret_cast<uint64_t>(address);
  // Most that the filter lets through were never sampled.
  if (!g_sampled_blocks.Holds(block)) return;
  const InRecording inside;
  if (inside && g_sampled_blocks.Remove(block)) WriteFree(inside, block, 0, kind);
}

void RecordUnmap(const void* address, size_t bytes) {
  const InRecording inside;
  if (inside && g_on.load(std::memory_order_relaxed))
    WriteFree(inside, reinterpret_cast<uint64_t>(address), bytes, MemoryKind::kMapped);
}

void RecordDiscard(const void* address, size_t bytes) {
  const InRecording inside;
  if (inside && g_on.load(std::memory_order_relaxed))
    WriteFree(inside, reinterpret_cast<uint64_t>(address), bytes, MemoryKind::kMapped,
              transport::kDiscarded);
}

void SampleCopy(size_t bytes) {
  ByteSampler& sampler = t_memory.copies;
  if (!Ready(sampler, &t_memory.copies_recording, kFirstCopyInterval,
             kIntervalsOfLarge * kFirstCopyInterval, bytes))
    return;
  const ByteSampler::Decision decision = sampler.Decide(bytes);
  if (decision.sampled && Recording()) Record({MemoryKind::kCopied, 0, bytes, decision});
}

void StartMemorySampling() {
  g_on = true;
  t_memory = {};
}

void StopMemorySampling() {
  g_on = false;
  g_end_noted = false;
  g_sampled_blocks.Clear();
  g_large_blocks.Clear();
}

void RestartMemorySampling(bool on) {
  g_on = on && g_on;
  g_end_noted = false;
  g_sampled_blocks.Clear();
  g_large_blocks.Clear();
  t_memory = {};  // or parent and child would draw the same numbers
}

}  // namespace pyrometer::agent
