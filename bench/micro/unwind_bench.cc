// SPDX-License-Identifier: Apache-2.0
// Cost of a native stack: per walk and per frame, with a warm and a cold row
// cache, over real frames of this program.
#include <benchmark/benchmark.h>
#include <pthread.h>
#include <signal.h>

#include <array>
#include <cstring>

#include "unwind/loaded_modules.h"
#include "unwind/stack_shapes.h"
#include "unwind/stack_walker.h"

namespace pyrometer::unwind {
namespace {

// What is read here is mapped: the benchmark measures the walk, not the guard.
struct DirectReader {
  bool Read(uint64_t address, void* out, size_t size) const {
    std::memcpy(out, reinterpret_cast<const void*>(address), size);
    return true;
  }
};

benchmark::State* g_state = nullptr;
bool g_cold = false;
RowCache g_cache;

StackBounds OwnStack() {
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  const auto start = reinterpret_cast<uint64_t>(low);
  return {start, start + size};
}

// Runs the whole measurement inside the handler, on the interrupted frames.
void OnSignal(int, siginfo_t*, void* context) {
  const Registers leaf = FromUcontext(*static_cast<const ucontext_t*>(context));
  const StackBounds bounds = OwnStack();
  std::array<NativeFrame, 512> frames;
  size_t count = 0;
  uint32_t generation = 0;
  for (auto _ : *g_state) {
    if (g_cold) g_cache.UseGeneration(++generation);
    WalkEnd end;
    count = WalkStack(LoadedModules(), DirectReader(), DirectReader(), g_cache, leaf, bounds,
                      frames, &end);
    benchmark::DoNotOptimize(frames);
    if (end != WalkEnd::kRoot) g_state->SkipWithError("the walk did not reach the root");
  }
  g_state->counters["frames"] = static_cast<double>(count);
  g_state->counters["per_frame"] =
      benchmark::Counter(static_cast<double>(count) * static_cast<double>(g_state->iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void WalkInHandler(benchmark::State& state, bool cold) {
  g_state = &state;
  g_cold = cold;
  struct sigaction action{};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  shapes::Nested(static_cast<int>(state.range(0)), [] { raise(SIGUSR1); });
}

void WarmWalk(benchmark::State& state) { WalkInHandler(state, false); }
void ColdWalk(benchmark::State& state) { WalkInHandler(state, true); }
BENCHMARK(WarmWalk)->Arg(10)->Arg(50)->Arg(200);
BENCHMARK(ColdWalk)->Arg(10);

}  // namespace
}  // namespace pyrometer::unwind

BENCHMARK_MAIN();
