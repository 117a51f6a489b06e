// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "format/records.h"

namespace pyrometer::format {

// Receives the records of a capture in file order. Unless overridden, a kind
// of record is ignored.
//
// Each function returns false for a record that makes no sense to it, above
// all one that refers to an id it has not seen; the reader counts those.
// The reader promises: ids of one table only rise, though they may skip over
// definitions that were lost; enumerators are valid; stack.parent < id.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;

  virtual bool OnRun(RunInfo) { return true; }
  // `text` is valid during the call only.
  virtual bool OnString(StringId, std::string_view /*text*/) { return true; }
  virtual bool OnProcess(ProcessId, ProcessInfo) { return true; }
  virtual bool OnThread(ThreadId, ThreadInfo) { return true; }
  virtual bool OnCode(CodeId, CodeInfo) { return true; }
  virtual bool OnModule(ModuleId, ModuleInfo) { return true; }
  virtual bool OnFrame(FrameId, FrameInfo) { return true; }
  virtual bool OnStack(StackId, StackInfo) { return true; }
  virtual bool OnSample(const Sample&) { return true; }
  // Many of them at once: how many make no sense.
  virtual size_t OnSamples(std::span<const Sample> samples) {
    size_t refused = 0;
    for (const Sample& sample : samples) refused += OnSample(sample) ? 0 : 1;
    return refused;
  }
  virtual bool OnSymbol(SymbolInfo) { return true; }
  virtual bool OnSource(SourceInfo) { return true; }
  virtual bool OnCounter(CounterInfo) { return true; }
  virtual bool OnThreadEnd(ThreadEnd) { return true; }
  virtual bool OnProcessEnd(ProcessEnd) { return true; }
  virtual bool OnRunEnd(RunEnd) { return true; }
  virtual bool OnGilWait(GilWait) { return true; }
  virtual bool OnRegion(RegionInfo) { return true; }
  virtual bool OnProfiledFunction(ProfiledFunction) { return true; }
  virtual bool OnTask(TaskId, TaskInfo) { return true; }
  virtual bool OnTaskEnd(TaskEnd) { return true; }
  virtual bool OnTaskOrigin(TaskOrigin) { return true; }
  virtual bool OnAwait(Await) { return true; }
  virtual bool OnLoopBlock(LoopBlock) { return true; }
  virtual bool OnMemoryChange(const MemoryChange&) { return true; }
  virtual bool OnMemoryPeak(MemoryPeak) { return true; }
  virtual bool OnMemorySurvivors(MemorySurvivors) { return true; }
  virtual bool OnMemoryLevel(MemoryLevel) { return true; }
  virtual bool OnMetric(MetricId, MetricInfo) { return true; }
  virtual bool OnMetricAmount(MetricAmount) { return true; }
};

}  // namespace pyrometer::format
