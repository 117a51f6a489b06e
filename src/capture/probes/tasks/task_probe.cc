// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/tasks/task_probe.h"

#include <utility>

namespace pyrometer::capture {

TaskProbe::TaskProbe(const ProbeContext& context, LoopWatch::FindWait find_wait)
    : codes_(context.codes),
      loops_(context.target, std::move(find_wait), context.writer),
      tasks_(context, loops_) {}

std::vector<transport::RecordType> TaskProbe::Takes() const {
  return {transport::RecordType::kSample};
}

void TaskProbe::OnSample(const ThreadCapture& thread, const transport::SampleRecord& record,
                         format::Sample& sample) {
  loops_.OnSample(thread.id, sample.stack);
  if (record.coroutine == 0) return;
  if (const auto code = codes_.CodeAt(record.coroutine_code))
    sample.task = tasks_.TaskOf(record.coroutine, *code, sample.time_ns);
}

bool TaskProbe::Poll(uint64_t now_ns, PollBudget& budget) {
  if (paused_) return true;
  if (budget.Spent()) return false;
  tasks_.Poll(now_ns);
  loops_.Poll(now_ns);
  return true;
}

void TaskProbe::Pause(uint64_t /*now_ns*/) {
  paused_ = true;
  tasks_.Flush();
  loops_.Close();
}

void TaskProbe::Resume(uint64_t /*now_ns*/) {
  paused_ = false;
  tasks_.Resync();
}

void TaskProbe::End(uint64_t now_ns, format::ProcessEnd& /*end*/) {
  tasks_.End(now_ns);
  loops_.Close();
}

void TaskProbe::Report(Counters& counters) const {
  counters.Count(metric::Counter::kTasksInMotion, tasks_.moving());
}

}  // namespace pyrometer::capture
