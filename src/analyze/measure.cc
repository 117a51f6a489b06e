// SPDX-License-Identifier: Apache-2.0
#include "analyze/measure.h"

namespace pyrometer::analyze {
namespace {

using enum Measure;

constexpr MeasureInfo kMeasures[] = {
    {kWall, "wall", "CPU time of all threads and waits of the main one"},
    {kCpu, "cpu", "CPU time"},
    {kPython, "python", "CPU time of the interpreter"},
    {kNative, "native", "CPU time of native code"},
    {kKernel, "kernel", "CPU time of the kernel"},
    {kWait, "wait", "waits of all threads"},
    {kGc, "gc", "CPU time of garbage collection"},
    {kAwait, "await", "time of tasks that wait"},
    {kMemory, "memory", "bytes live when most was in use"},
    {kAllocated, "allocated", "bytes allocated in all"},
    {kCopied, "copy", "bytes copied"},
};

}  // namespace

std::span<const MeasureInfo> Measures() { return kMeasures; }

const MeasureInfo& InfoOf(Measure measure) { return kMeasures[static_cast<size_t>(measure)]; }

std::optional<Measure> MeasureOfName(std::string_view name) {
  for (const MeasureInfo& info : kMeasures)
    if (info.name == name) return info.measure;
  return std::nullopt;
}

uint64_t ValueOf(Measure measure, const Breakdown& time, const MemoryStats& memory) {
  switch (measure) {
    case kWall:
      return time.heat_ns();
    case kCpu:
      return time.cpu.ns;
    case kPython:
      return time[format::Activity::kPython].ns;
    case kNative:
      return time[format::Activity::kNative].ns;
    case kKernel:
      return time[format::Activity::kKernel].ns;
    case kWait:
      return time.wait.ns;
    case kGc:
      return time.gc_ns;
    case kAwait:
      return time.await_ns;
    case kMemory:
      return memory.at_peak.bytes();
    case kAllocated:
      return memory.allocated.bytes();
    case kCopied:
      return memory.copied.bytes;
  }
  return 0;
}

}  // namespace pyrometer::analyze
