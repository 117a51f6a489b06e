// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/record_options.h"
#include "capture/core/cpu_samples.h"
#include "capture/core/probe.h"
#include "capture/core/run_clock.h"
#include "capture/core/target.h"
#include "capture/core/thread_capture.h"
#include "capture/stacks/code_cache.h"
#include "capture/stacks/interpreter_jit.h"
#include "capture/stacks/module_cache.h"
#include "capture/stacks/sample_stacks.h"
#include "capture/stacks/stack_table.h"
#include "format/capture_writer.h"
#include "os/process_watch.h"

namespace pyrometer::capture {

// One profiled process: keeps its threads, writes the samples of their CPU time, and lets probes
// record the rest.
//
// Thread-safety: one owner.
class ProcessCapture {
 public:
  ProcessCapture(std::unique_ptr<Target> target, const ProbeMaker& make_probes,
                 const base::RecordOptions& options, RunClock clock, StackTable& stacks,
                 format::CaptureWriter& writer);

  // Takes over what the target has to tell since the last call; whether that was anything.
  bool Drain();
  // Polls threads that are new. REQUIRES: Drain() came first.
  void Meet(uint64_t now_ns);
  // Polls the process from outside. REQUIRES: Meet() came first.
  void Poll(uint64_t now_ns, PollBudget& budget);
  // Writes what is open, so that a capture cut off now has it.
  void Flush();
  // The same, and makes a whole of it for a reader who comes now.
  void Checkpoint(uint64_t now_ns);
  // Switches the recording on and off; a stopped one stays so.
  void SetRecording(transport::RecordingState state) { target_->SetRecording(state); }
  // The process is gone: take the rest and write its totals. `end`: nullptr when it runs on.
  void End(uint64_t now_ns, const format::ProcessEnd* end);

  pid_t pid() const { return target_->pid(); }
  uint64_t start_ns() const { return clock_.SinceStart(target_->facts().start_ns); }
  bool ended() const { return watch_.Ended(); }
  // How it ended, as far as can be known from outside. REQUIRES: ended().
  format::ProcessEnd DescribeEnd(uint64_t now_ns) const;
  // Why this process has no profile; empty when it has one.
  const std::string& unsupported() const { return target_->facts().unsupported; }

 private:
  format::ProcessId AddProcess();
  // False, here and below: the record makes no sense.
  bool OnRecord(transport::RecordType type, std::span<const uint8_t> bytes);
  bool OnThreadStart(const Record& record);
  bool OnThreadEnd(const Record& record);
  bool OnGreenlets(const Record& record);
  bool OnRegion(const Record& record);
  bool OnProfiledCode(const Record& record);
  bool OnSample(const Record& record);
  // Gives it to the probes that take its type.
  bool PassOn(const Record& record);
  // Brings the stack of the thread that a sample is of up to date; nullptr: it makes no sense.
  template <class Sample>
  ThreadCapture* UpdateStack(const Record& record, SampleStacks::Innermost innermost,
                             Sample* sample);
  std::string NameAtStart(uint32_t tid);
  void EndThread(uint32_t tid, ThreadExit exit);
  // Notices what was switched, here or by the program itself.
  void FollowSwitch(uint64_t now_ns);
  void WriteCounters();
  std::span<Probe* const> TakersOf(transport::RecordType type) const {
    return takers_[static_cast<size_t>(type)];
  }

  std::unique_ptr<Target> target_;
  os::ProcessWatch watch_;
  base::RecordOptions options_;
  RunClock clock_;
  StackTable& stacks_;
  format::CaptureWriter& writer_;
  InterpreterJit interpreter_jit_;
  CodeCache codes_;
  ModuleCache modules_;
  SampleStacks sample_stacks_;
  CpuSamples cpu_samples_;
  format::ProcessId id_;
  Probes probes_;
  std::array<std::vector<Probe*>, transport::kRecordTypes> takers_;
  std::vector<Probe*> put_off_;  // at the last poll
  bool damaged_ = false;
  bool paused_ = false;
  uint64_t paused_since_ns_ = 0;
  uint64_t off_ns_ = 0;  // for how long nothing was recorded, up to paused_since_ns_
  uint64_t names_asked_ = 0;
  uint64_t bad_records_ = 0;
};

}  // namespace pyrometer::capture
