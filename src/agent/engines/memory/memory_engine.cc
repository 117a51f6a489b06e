// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/memory_engine.h"

#include "agent/core/agent.h"
#include "agent/engines/memory/copy_hooks.h"
#include "agent/engines/memory/malloc_hooks.h"
#include "agent/engines/memory/map_hooks.h"
#include "agent/engines/memory/memory_sampler.h"
#include "agent/engines/memory/python_memory.h"

namespace pyrometer::agent {
namespace {

void Prepare() {
  PrepareMallocHooks();
  PrepareMapHooks();
  PrepareCopyHooks();
}

void Start(const Moment& moment) {
  if (!g_agent.options.memory) return;
  FindAllocator();
  HookPythonMemory(moment.chooses_allocators, moment.before_main);
  PublishArenas();
  StartMemorySampling();
}

bool StartThread(ThreadRecord* record, const Subject&) {
  g_seen_stacks.Of(record).Clear();
  return true;
}

void ForkChild(bool on) {
  RestartMemorySampling(on);
  PublishArenas();
}

}  // namespace

constinit const Engine kMemoryEngine = {
    .name = "memory",
    .thread_part = &g_seen_stacks,
    .prepare = Prepare,
    .describe = nullptr,
    .start = Start,
    .stop = StopMemorySampling,
    .pause = nullptr,  // Recording() is asked at each sample
    .resume = nullptr,
    .thread_start = StartThread,
    .thread_end = nullptr,
    .fork_child = ForkChild,
    .on_signal = nullptr,
};

}  // namespace pyrometer::agent
