// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capture/core/probe.h"
#include "capture/probes/tasks/loop_watch.h"
#include "capture/probes/tasks/task_sampler.h"
#include "capture/stacks/code_cache.h"

namespace pyrometer::capture {

// The asyncio tasks of a process: what they await, which of them a sample was taken in, and what
// keeps their event loop from running the others. From outside, but for the samples.
//
// Thread-safety: one owner.
class TaskProbe final : public Probe {
 public:
  TaskProbe(const ProbeContext& context, LoopWatch::FindWait find_wait);

  std::vector<transport::RecordType> Takes() const override;
  void OnSample(const ThreadCapture& thread, const transport::SampleRecord& record,
                format::Sample& sample) override;
  bool Poll(uint64_t now_ns, PollBudget& budget) override;
  void Pause(uint64_t now_ns) override;
  void Resume(uint64_t now_ns) override;
  void Flush() override { tasks_.Flush(); }
  void End(uint64_t now_ns, format::ProcessEnd& end) override;
  void Report(Counters& counters) const override;

 private:
  CodeCache& codes_;
  LoopWatch loops_;
  TaskSampler tasks_;
  bool paused_ = false;
};

}  // namespace pyrometer::capture
