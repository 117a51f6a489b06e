// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/record_options.h"
#include "base/scoped_fd.h"
#include "capture/code_cache.h"
#include "capture/interpreter_jit.h"
#include "capture/loop_watch.h"
#include "capture/memory_capture.h"
#include "capture/module_cache.h"
#include "capture/name_reader.h"
#include "capture/ring_mapping.h"
#include "capture/sample_stacks.h"
#include "capture/short_cpu.h"
#include "capture/stack_table.h"
#include "capture/task_sampler.h"
#include "capture/thread_capture.h"
#include "capture/wait_sampler.h"
#include "format/capture_writer.h"
#include "os/process_watch.h"

namespace pyrometer::capture {

// One profiled process: drains its ring into the capture, watches its threads'
// waits and its memory, and opens perf events where that clock is asked for.
//
// Thread-safety: one owner.
class ProcessCapture {
 public:
  // `run_start_ns` is the CLOCK_MONOTONIC time of the start of the run.
  ProcessCapture(RingMapping ring, const base::RecordOptions& options, uint64_t run_start_ns,
                 StackTable& stacks, format::CaptureWriter& writer);

  // Takes over what the agent has written since the last call; whether that was anything.
  bool Drain();
  // Looks at threads that are new. REQUIRES: Drain() came first.
  void Meet(uint64_t now_ns);
  // Looks at blocked threads, at tasks and at memory; whether any thread has moved.
  // REQUIRES: Meet() came first.
  bool Look(uint64_t now_ns, LookBudget& budget);
  // Writes what is open, so that a capture cut off now has it.
  void Flush();
  // The same, and makes a whole of it for a reader who comes now.
  void Checkpoint(uint64_t now_ns);
  // Switches the recording on and off; a stopped one stays so.
  void SetRecording(transport::RecordingState state);
  // The process is gone: take the rest and write its totals.
  void End(uint64_t now_ns, const format::ProcessEnd* end);

  pid_t pid() const { return pid_; }
  uid_t owner() const { return ring_.owner(); }
  uint64_t start_ns() const { return SinceStart(ring_.header().start_ns); }
  bool ended() const { return watch_.Ended(); }
  // How it ended, as far as can be known from outside. REQUIRES: ended().
  format::ProcessEnd DescribeEnd(uint64_t now_ns) const;
  // Why this process has no profile; empty when it has one.
  const std::string& unsupported() const { return unsupported_; }
  uint64_t pending_bytes() { return ring_.reader().pending_bytes(); }

 private:
  void OnRecord(transport::RecordType type, std::span<const uint8_t> bytes);
  void OnThreadStart(const transport::ThreadStart& start);
  void OnThreadEnd(const transport::ThreadEnd& end);
  void OnGreenlets(const transport::GreenletRecord& record);
  void OnRegion(const transport::RegionRecord& region, std::span<const uint8_t> rest);
  void OnProfiledCode(const transport::ProfiledCodeRecord& profiled);
  void OnSample(const transport::SampleRecord& sample,
                std::span<const transport::StackFrame> frames);
  void OnMemorySample(const transport::MemorySample& sample,
                      std::span<const transport::StackFrame> frames);
  void OnMemoryAgain(const transport::MemoryAgain& again);
  void OnMemoryFree(const transport::MemoryFree& free);
  // `record`: either kind of sample of memory.
  template <class Record>
  void OnRequest(const Record& record, const ThreadCapture& thread, format::StackId stack);
  // `by_parent`: as the parent was told when the process had ended; 0: it was not.
  uint64_t PeakResidentBytes(uint64_t by_parent) const;
  void WatchWaits(uint64_t runtime);
  const ThreadCapture* FindThread(uint64_t pthread) const;
  // The task that a sample was taken in.
  std::optional<format::TaskId> TaskOf(const transport::SampleRecord& sample);
  // Brings the stack of a sample's thread up to date; nullptr: the sample makes no sense.
  template <class Sample>
  ThreadCapture* UpdateStack(const Sample& sample, std::span<const transport::StackFrame> frames,
                             SampleStacks::Innermost innermost);
  uint64_t Weight(ThreadCapture& thread, const transport::SampleRecord& sample);
  // `unsampled_ns`: the CPU time after its newest sample, as far as it counts.
  void WriteHeld(ThreadCapture& thread, uint64_t unsampled_ns);
  // `cpu_ns`: of its clock at the end.
  void WriteLast(ThreadCapture& thread, uint64_t cpu_ns);
  std::string NameAtStart(uint32_t tid);
  void OpenPerf(uint32_t tid);
  // `cpu_ns`: its clock at the end; empty: it could not tell.
  void EndThread(uint32_t tid, uint64_t end_ns, std::optional<uint64_t> cpu_ns, std::string name);
  void LookAtTasks(uint64_t now_ns, const LookBudget& budget);
  // Asks for the names of threads, soon after one has started and then once a
  // second: a program may rename them.
  void UpdateNames(uint64_t now_ns);
  // Notices what was switched, here or by the program itself.
  void FollowSwitch(uint64_t now_ns);
  void WriteCounters();
  uint64_t SinceStart(uint64_t monotonic_ns) const {
    return monotonic_ns > run_start_ns_ ? monotonic_ns - run_start_ns_ : 0;
  }

  RingMapping ring_;
  pid_t pid_;
  os::ProcessWatch watch_;
  base::RecordOptions options_;
  uint64_t run_start_ns_;
  StackTable& stacks_;
  format::CaptureWriter& writer_;
  cpython::Layout layout_;
  InterpreterJit interpreter_jit_;
  std::string unsupported_;
  format::ProcessId id_;
  CodeCache codes_;
  ModuleCache modules_;
  SampleStacks sample_stacks_;
  std::unique_ptr<NameReader> names_;  // null: no interpreter that is known
  // The next three are there together: null where time is not sampled, too.
  std::unique_ptr<WaitSampler> waits_;
  std::unique_ptr<LoopWatch> loops_;
  std::unique_ptr<TaskSampler> tasks_;
  std::unique_ptr<MemoryCapture> memory_;  // null: not sampled
  std::map<uint32_t, ThreadCapture> threads_;
  std::map<uint32_t, base::ScopedFd> perf_;
  bool damaged_ = false;
  bool tasks_first_ = false;  // the budget did not suffice for them last time
  uint64_t names_due_ns_ = 0;
  uint64_t names_again_ns_ = 0;  // when a new thread may have them read again
  bool paused_ = false;
  uint64_t paused_since_ns_ = 0;
  uint64_t resumed_ns_ = 0;
  uint64_t off_ns_ = 0;  // for how long nothing was recorded, up to paused_since_ns_
  ShortCpu short_cpu_;
  uint64_t names_asked_ = 0;
  uint64_t bad_records_ = 0;
  uint64_t perf_refused_ = 0;
};

}  // namespace pyrometer::capture
