// SPDX-License-Identifier: Apache-2.0
#include "agent/memory_sampler.h"

#include <algorithm>
#include <atomic>

#include "agent/agent.h"
#include "agent/clock.h"
#include "agent/python_memory.h"
#include "agent/signals_blocked.h"
#include "agent/stack_sampler.h"
#include "agent/thread_registry.h"

namespace pyrometer::agent {

constinit thread_local MemoryThread t_memory{};
constinit SampledBlocks g_sampled_blocks{};

namespace {

using transport::MemoryKind;
using transport::RecordType;

// What a thread may spend on samples: one in this time, on average, and not more
// than this share of its time. The stack of a deep recursion takes long. In CPU
// time: one that shares its CPU with others gets less done in a second, and must not
// pay more for it.
constexpr uint64_t kRequestPeriodNs = 500'000;
constexpr uint64_t kCopyPeriodNs = 10'000'000;
constexpr uint64_t kShareOfTime = 100;
constexpr uint64_t kFirstCopyInterval = uint64_t{1} << 20;

std::atomic<bool> g_on;

bool Recording() {
  return g_on.load(std::memory_order_relaxed) &&
         g_agent.ring.header()->recording.load(std::memory_order_relaxed) ==
             transport::RecordingState::kOn;
}

// CPU time of this thread. Without ticks there are no samples that asking for it could spoil.
uint64_t CpuNs(ThreadRecord* record, uint64_t now_ns) {
  if (record == nullptr || record->timer < 0) return NowNs(CLOCK_THREAD_CPUTIME_ID);
  if (record->time.IsOld(now_ns)) record->time.Set(now_ns, NowNs(CLOCK_THREAD_CPUTIME_ID));
  return record->time.CpuNs(now_ns);
}

// Whether `sampler` can decide; draws for the first time if need be.
bool Ready(ByteSampler& sampler, uint64_t first_interval, uint64_t period_ns, size_t bytes) {
  if (!g_on.load(std::memory_order_relaxed)) {
    // The program may load its Python later.
    constexpr int64_t kLookAgainBytes = int64_t{1} << 20;
    sampler.left = kLookAgainBytes;
    return false;
  }
  if (sampler.drawn()) return true;
  const uint64_t now = NowNs(CLOCK_MONOTONIC);
  sampler.Start(first_interval, now ^ reinterpret_cast<uint64_t>(&sampler) << 16,
                CpuNs(CurrentThread(), now), 4 * period_ns);
  sampler.left -= static_cast<int64_t>(bytes);
  return sampler.left < 0;
}

// The fuller the table of sampled blocks, the coarser it is filled.
uint64_t Finest() {
  const size_t eighth = g_sampled_blocks.size() / (SampledBlocks::kSlots / 8);
  return ByteSampler::kFinest << eighth;
}

// What a sample costs by the experience of this thread, now that one has taken `ns`. One
// alone says little: it may have met cold caches, or lost its CPU meanwhile.
struct Cost {
  uint64_t this_ns;
  uint64_t usual_ns;
};
Cost CostOf(uint64_t ns) {
  constexpr uint64_t kFirst = 5'000;
  constexpr uint64_t kMemory = 8;  // samples that it looks back
  constexpr uint64_t kMuchMore = 4;
  const uint64_t usual = t_memory.usual_ns != 0 ? t_memory.usual_ns : kFirst;
  const uint64_t likely = std::min(ns, kMuchMore * usual);
  t_memory.usual_ns = usual - usual / kMemory + likely / kMemory;
  return {ns < OwnSystemTime::kShortNs ? ns : std::max(likely, OwnSystemTime::kShortNs),
          t_memory.usual_ns};
}

// Never inlined, so that the walk has a frame of this library to begin in.
__attribute__((noinline)) bool WriteSample(const SignalsBlocked&, ThreadRecord* record,
                                           MemoryKind kind, uint64_t address, uint64_t bytes,
                                           uint64_t interval, uint64_t now) {
  transport::MemorySample sample{};
  sample.time_ns = now;
  sample.address = address;
  sample.bytes = bytes;
  sample.interval = interval;
  sample.kind = kind;
  StackSampler stack(record, unwind::CurrentRegisters());
  stack.Walk();  // a torn one leaves the native part, with the bytes
  stack.Merge(&sample.flags);
  return stack.Write(sample, RecordType::kMemorySample);
}

void Record(MemoryKind kind, uint64_t address, uint64_t bytes, uint64_t interval) {
  ThreadRecord* record = CurrentThread();
  transport::AgentCounters& counters = g_agent.ring.header()->counters;
  if (record == nullptr) {
    ++counters.blocks_refused;
    return;
  }
  const SignalsBlocked blocked;
  const uint64_t begin = NowNs(CLOCK_MONOTONIC);
  const bool is_block = kind == MemoryKind::kPython || kind == MemoryKind::kNative;
  if (is_block && !g_sampled_blocks.Insert(address)) {
    ++counters.blocks_refused;
    return;
  }
  if (WriteSample(blocked, record, kind, address, bytes, interval, begin))
    ++counters.memory_samples;
  else if (is_block)
    g_sampled_blocks.Remove(address);
  const uint64_t end = NowNs(CLOCK_MONOTONIC);
  const Cost cost = CostOf(end - begin);
  counters.memory_ns += cost.this_ns;
  if (g_agent.options.mem_interval != 0) return;
  const uint64_t affordable = cost.usual_ns * kShareOfTime;
  const uint64_t cpu = CpuNs(record, end);
  const ByteSampler::Decision decision{true, interval};
  if (kind == MemoryKind::kCopied)
    t_memory.copies.Adapt(decision, cpu, std::max(kCopyPeriodNs, affordable), kFirstCopyInterval);
  else
    t_memory.requests.Adapt(decision, cpu, std::max(kRequestPeriodNs, affordable), Finest());
}

void WriteFree(uint64_t address, uint64_t bytes, MemoryKind kind) {
  const SignalsBlocked blocked;
  transport::AgentCounters& counters = g_agent.ring.header()->counters;
  const ThreadRecord* record = CurrentThread();
  transport::MemoryFree freed{};
  freed.tid = record != nullptr ? record->tid : 0;
  if (InterpreterEnds()) freed.flags |= transport::kAtExit;
  freed.time_ns = NowNs(CLOCK_MONOTONIC);
  freed.address = address;
  freed.bytes = bytes;
  freed.kind = kind;
  if (!g_agent.ring.Write(freed, RecordType::kMemoryFree)) {
    ++counters.frees_lost;
    return;
  }
  counters.memory_ns += NowNs(CLOCK_MONOTONIC) - freed.time_ns;
}

}  // namespace

ByteSampler::Decision DecideRequest(size_t bytes) {
  ByteSampler& sampler = t_memory.requests;
  const uint64_t asked = g_agent.options.mem_interval;
  if (!Ready(sampler, asked != 0 ? asked : ByteSampler::kFinest, kRequestPeriodNs, bytes))
    return {};
  if (const ThreadRecord* record = CurrentThread();
      record != nullptr && record->tid == g_agent.process)
    RestorePythonMemoryHooks();
  ByteSampler::Decision decision = sampler.Decide(bytes);
  if (decision.sampled && !Recording()) decision.sampled = false;
  return decision;
}

void RecordRequest(MemoryKind kind, const void* address, size_t bytes, uint64_t interval) {
  Record(kind, reinterpret_cast<uint64_t>(address), bytes, interval);
}

void ForgetBlock(const void* address, MemoryKind kind) {
  const auto block = reinterpret_cast<uint64_t>(address);
  if (g_sampled_blocks.Remove(block)) WriteFree(block, 0, kind);
}

void RecordUnmap(const void* address, size_t bytes) {
  if (g_on.load(std::memory_order_relaxed))
    WriteFree(reinterpret_cast<uint64_t>(address), bytes, MemoryKind::kMapped);
}

void SampleCopy(size_t bytes) {
  ByteSampler& sampler = t_memory.copies;
  if (!Ready(sampler, kFirstCopyInterval, kCopyPeriodNs, bytes)) return;
  const ByteSampler::Decision decision = sampler.Decide(bytes);
  if (decision.sampled && Recording()) Record(MemoryKind::kCopied, 0, bytes, decision.interval);
}

void StartMemorySampling() {
  g_on = true;
  t_memory = {};
}

void RestartMemorySampling(bool on) {
  g_on = on && g_on;
  g_sampled_blocks.Clear();
  t_memory = {};  // or parent and child would draw the same numbers
}

}  // namespace pyrometer::agent
