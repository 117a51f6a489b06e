// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "format/records.h"
#include "format/sink.h"

namespace pyrometer::format {

// Writes one capture file: gathers records into blocks and hands whole blocks
// to the sink, definitions always before the blocks that use them.
//
// Ids are given out in order, starting at 1 for strings and stacks (0 is
// reserved) and at 0 for all other tables. The writer deduplicates strings
// only; interning frames and stacks is the caller's work.
//
// Thread-safety: none; one owner.
// Errors: a sink that fails makes this and every later Flush() fail with the
// same Status; records are then dropped, never buffered without bound.
class CaptureWriter {
 public:
  // `sink` must outlive the writer. Writes the file header and `run`.
  CaptureWriter(Sink& sink, const RunInfo& run);
  ~CaptureWriter();
  CaptureWriter(const CaptureWriter&) = delete;
  CaptureWriter& operator=(const CaptureWriter&) = delete;

  StringId Intern(std::string_view text);
  ProcessId AddProcess(const ProcessInfo& process);
  ThreadId AddThread(const ThreadInfo& thread);
  CodeId AddCode(const CodeInfo& code);
  ModuleId AddModule(const ModuleInfo& module);
  FrameId AddFrame(const FrameInfo& frame);
  StackId AddStack(const StackInfo& stack);
  void AddSample(const Sample& sample);
  void AddSymbol(const SymbolInfo& symbol);
  void AddSource(const SourceInfo& source);
  void AddCounter(const CounterInfo& counter);
  void AddGilWait(const GilWait& wait);
  void AddRegion(const RegionInfo& region);
  void AddProfiledFunction(const ProfiledFunction& function);
  TaskId AddTask(const TaskInfo& task);
  void EndTask(const TaskEnd& end);
  void AddTaskOrigin(const TaskOrigin& origin);
  void AddAwait(const Await& await);
  void AddLoopBlock(const LoopBlock& block);
  void AddMemoryChange(const MemoryChange& change);
  // Very many parts are made fewer (live_parts.h).
  void AddMemoryPeak(MemoryPeak peak);
  void AddMemorySurvivors(MemorySurvivors survivors);
  void AddMemoryLevel(const MemoryLevel& level);
  MetricId AddMetric(const MetricInfo& metric);
  void AddMetricAmount(const MetricAmount& amount);
  void EndThread(const ThreadEnd& end);
  void EndProcess(const ProcessEnd& end);

  // Makes everything added so far readable from the file. Cheap when there is
  // nothing new. Blocks are also written by themselves when they get large.
  base::Status Flush();
  // Flush, and mark the orderly end.
  base::Status Finish(const RunEnd& end);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pyrometer::format
