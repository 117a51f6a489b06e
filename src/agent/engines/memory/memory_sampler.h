// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "agent/core/engine.h"
#include "agent/core/sample_cost.h"
#include "agent/engines/memory/byte_sampler.h"
#include "agent/engines/memory/large_blocks.h"
#include "agent/engines/memory/sampled_blocks.h"
#include "agent/engines/memory/seen_stacks.h"
#include "transport/records.h"

// What the hooks on allocators and copies have in common: which requests are
// sampled, and what is done about those. The hooks themselves are in
// malloc_hooks.cc, map_hooks.cc, copy_hooks.cc and python_memory.cc.
//
// Context: any thread of the program at any moment, also inside its own signal
// handlers, in thread-exit destructors, before main and after exit. Never
// allocates, never locks, leaves errno as it was.
namespace pyrometer::agent {

// Per thread; zero-initialised, so every thread begins in the slow path.
struct MemoryThread {
  ByteSampler requests;
  ByteSampler copies;
  SampleCost cost;
  // The recordings for which each has drawn.
  uint32_t requests_recording;
  uint32_t copies_recording;
};
extern constinit thread_local MemoryThread t_memory;

// By requests for memory of each thread.
extern constinit ThreadPart<SeenStacks> g_seen_stacks;
extern constinit SampledBlocks g_sampled_blocks;
extern constinit LargeBlocks g_large_blocks;

// Takes `bytes` from the countdown. True: ask DecideRequest.
inline bool CountRequest(size_t bytes) {
  return (t_memory.requests.left -= static_cast<int64_t>(bytes)) < 0;
}

// Slow path of CountRequest. Out of line, rare.
ByteSampler::Decision DecideRequest(size_t bytes);

// While it lives, requests of this thread are not counted: they are made by an
// allocator that serves one that was counted already.
class NestedRequests {
 public:
  NestedRequests() : left_(t_memory.requests.left) { t_memory.requests.left = kNever; }
  ~NestedRequests() { t_memory.requests.left = left_; }
  NestedRequests(const NestedRequests&) = delete;
  NestedRequests& operator=(const NestedRequests&) = delete;

  // More than can be allocated before it is looked at again.
  static constexpr int64_t kNever = INT64_MAX / 2;

 private:
  int64_t left_;
};

// Records a request that was sampled and served at `address`.
void RecordRequest(transport::MemoryKind kind, const void* address, size_t bytes,
                   const ByteSampler::Decision& decision);

// Before a block goes back to whoever served it.
void ForgetBlock(const void* address, transport::MemoryKind kind);
inline bool MayBeSampled(const void* address) {
  return g_sampled_blocks.MayHold(reinterpret_cast<uint64_t>(address));
}
inline void CountFree(const void* address, transport::MemoryKind kind) {
  if (MayBeSampled(address)) [[unlikely]]
    ForgetBlock(address, kind);
}

// Before a range goes back to the kernel.
void RecordUnmap(const void* address, size_t bytes);
// When the pages of a range went back, but the range stays.
void RecordDiscard(const void* address, size_t bytes);

// Takes `bytes` from the countdown of copies. True: call SampleCopy.
inline bool CountCopy(size_t bytes) {
  return (t_memory.copies.left -= static_cast<int64_t>(bytes)) < 0;
}
// Slow path of CountCopy.
void SampleCopy(size_t bytes);

// Begins to sample, from the calling thread on. Context: the recording begins.
void StartMemorySampling();
// Forgets what was sampled; the hooks then pass on. Context: nobody is inside the recording.
void StopMemorySampling();
// In the child of a fork: what the parent had is not this process's.
// `on`: the child has a ring.
void RestartMemorySampling(bool on);

}  // namespace pyrometer::agent
