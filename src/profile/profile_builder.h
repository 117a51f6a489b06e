// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string_view>
#include <tuple>

#include "format/record_visitor.h"
#include "profile/id_map.h"
#include "profile/profile.h"

namespace pyrometer::profile {

// Builds a Profile from the records of one capture. A record that refers to
// something unknown is refused, and with it whatever refers to that record, so
// the profile's invariants hold after every call.
//
// Thread-safety: none; one owner.
class ProfileBuilder : public format::RecordVisitor {
 public:
  ProfileBuilder();

  // Makes room for as many samples, so that they need not move when more come. What is
  // not used of it is never touched.
  void ExpectSamples(size_t count);

  // The profile so far. Call once, at the end.
  Profile Take();

  bool OnRun(format::RunInfo run) override;
  bool OnString(format::StringId id, std::string_view text) override;
  bool OnProcess(format::ProcessId id, format::ProcessInfo process) override;
  bool OnThread(format::ThreadId id, format::ThreadInfo thread) override;
  bool OnCode(format::CodeId id, format::CodeInfo code) override;
  bool OnModule(format::ModuleId id, format::ModuleInfo module) override;
  bool OnFrame(format::FrameId id, format::FrameInfo frame) override;
  bool OnStack(format::StackId id, format::StackInfo stack) override;
  bool OnSample(const format::Sample& sample) override;
  size_t OnSamples(std::span<const format::Sample> samples) override;
  bool OnSymbol(format::SymbolInfo symbol) override;
  bool OnSource(format::SourceInfo source) override;
  bool OnCounter(format::CounterInfo counter) override;
  bool OnThreadEnd(format::ThreadEnd end) override;
  bool OnProcessEnd(format::ProcessEnd end) override;
  bool OnRunEnd(format::RunEnd end) override;
  bool OnGilWait(format::GilWait wait) override;
  bool OnRegion(format::RegionInfo region) override;
  bool OnProfiledFunction(format::ProfiledFunction function) override;
  bool OnTask(format::TaskId id, format::TaskInfo task) override;
  bool OnTaskEnd(format::TaskEnd end) override;
  bool OnTaskOrigin(format::TaskOrigin origin) override;
  bool OnAwait(format::Await await) override;
  bool OnLoopBlock(format::LoopBlock block) override;
  bool OnMetric(format::MetricId id, format::MetricInfo metric) override;
  bool OnMetricAmount(format::MetricAmount amount) override;
  bool OnMemoryChange(const format::MemoryChange& change) override;
  bool OnMemoryPeak(format::MemoryPeak peak) override;
  bool OnMemorySurvivors(format::MemorySurvivors survivors) override;
  bool OnMemoryLevel(format::MemoryLevel level) override;

 private:
  // Whether `sample` is sound; translates its ids.
  bool Translate(format::Sample& sample) const;
  // Whether `part` is sound and belongs to `process`; translates its ids.
  bool Translate(format::LiveMemory& part, format::ProcessId process) const;

  using CounterKey = std::pair<format::ProcessId, metric::CounterKey>;

  Profile profile_;
  bool has_run_ = false;
  IdMap strings_;
  IdMap processes_;
  IdMap threads_;
  IdMap codes_;
  IdMap modules_;
  IdMap frames_;
  IdMap stacks_;
  IdMap tasks_;
  std::map<format::MetricId, metric::Metric> metrics_;
  // Where in the profile the record with a key stands, for records that later
  // ones replace.
  std::map<CounterKey, size_t> counter_places_;
  std::map<format::FrameId, size_t> symbol_places_;
  std::map<format::StringId, size_t> source_places_;
  std::map<format::ProcessId, size_t> peak_places_;
  std::map<format::ProcessId, size_t> survivor_places_;
  // The same for records that add up.
  std::map<std::pair<format::ThreadId, std::optional<format::ThreadId>>, size_t> gil_places_;
  std::map<format::CodeId, size_t> profiled_places_;
};

}  // namespace pyrometer::profile
