// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/record_visitor.h"

namespace pyrometer::format::testing {

// Writes every record as one line of text, so that tests can compare whole
// captures and a person can read the difference. Every field appears.
class TextDump : public RecordVisitor {
 public:
  const std::vector<std::string>& lines() const { return lines_; }
  // Lines that begin with `kind`, such as "sample".
  std::vector<std::string> LinesOf(std::string_view kind) const;
  std::string text() const;

  bool OnRun(RunInfo run) override;
  bool OnString(StringId id, std::string_view text) override;
  bool OnProcess(ProcessId id, ProcessInfo process) override;
  bool OnThread(ThreadId id, ThreadInfo thread) override;
  bool OnCode(CodeId id, CodeInfo code) override;
  bool OnModule(ModuleId id, ModuleInfo module) override;
  bool OnFrame(FrameId id, FrameInfo frame) override;
  bool OnStack(StackId id, StackInfo stack) override;
  bool OnSample(const Sample& sample) override;
  bool OnSymbol(SymbolInfo symbol) override;
  bool OnSource(SourceInfo source) override;
  bool OnCounter(CounterInfo counter) override;
  bool OnThreadEnd(ThreadEnd end) override;
  bool OnProcessEnd(ProcessEnd end) override;
  bool OnRunEnd(RunEnd end) override;
  bool OnGilWait(GilWait wait) override;
  bool OnRegion(RegionInfo region) override;
  bool OnProfiledFunction(ProfiledFunction function) override;
  bool OnTask(TaskId id, TaskInfo task) override;
  bool OnTaskEnd(TaskEnd end) override;
  bool OnTaskOrigin(TaskOrigin origin) override;
  bool OnAwait(Await await) override;
  bool OnLoopBlock(LoopBlock block) override;
  bool OnMetric(MetricId id, MetricInfo metric) override;
  bool OnMetricAmount(MetricAmount amount) override;
  bool OnMemoryChange(const MemoryChange& change) override;
  bool OnMemoryPeak(MemoryPeak peak) override;
  bool OnMemorySurvivors(MemorySurvivors survivors) override;
  bool OnMemoryLevel(MemoryLevel level) override;

 private:
  std::vector<std::string> lines_;
};

}  // namespace pyrometer::format::testing
