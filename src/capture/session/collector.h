// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/record_options.h"
#include "base/result.h"
#include "capture/core/counters.h"
#include "capture/core/poll_budget.h"
#include "capture/core/process_capture.h"
#include "capture/session/frame_namer.h"
#include "capture/session/session_directory.h"
#include "capture/stacks/stack_table.h"
#include "format/capture_writer.h"
#include "os/vdso_file.h"

namespace pyrometer::capture {

// CLOCK_MONOTONIC in nanoseconds, the clock of a whole run.
uint64_t MonotonicNs();

// Collects from all processes of one run into one capture.
//
// Thread-safety: one owner, which calls Tick() about every 10 ms.
class Collector {
 public:
  Collector(SessionDirectory& session, const base::RecordOptions& options, uint64_t run_start_ns,
            format::CaptureWriter& writer);
  ~Collector();

  // Finds new processes, drains all rings, polls waits and memory, and once a second
  // makes what was recorded safe in the file. Returns in how many milliseconds it is due again.
  int Tick();
  // The program that was launched has ended; its facts are `end`.
  void EndProcess(pid_t pid, const format::ProcessEnd& end);
  // Everything that the program has waited for has used `cpu_ns`, the program included.
  // REQUIRES: EndProcess() came first.
  void NoteProgramCpu(uint64_t cpu_ns);
  // Switches the recording of every process on and off, also of later ones.
  void SetRecording(transport::RecordingState state);
  transport::RecordingState recording() const { return recording_; }
  // Whether the process is one of this run.
  bool Has(pid_t pid) const;
  // Whether processes that the program started are still there.
  bool has_running() const { return running() != 0; }
  size_t running() const { return processes_.size(); }
  std::vector<pid_t> pids() const;
  // Lets go of those that have ended; Tick() does so now and then.
  void EndDeadProcesses();
  // Makes a whole of what is recorded so far, with names and sources, notes that
  // the recording goes on, and stops the collector's own threads until the next
  // Tick().
  void Checkpoint();
  // In a child of the process that has collected so far, after Checkpoint(): the kernel counts
  // the child's CPU time from zero.
  void ContinueInChild() { earlier_cost_ns_ = cost_ns_; }
  // Ends every process and makes the recording whole. The caller finishes the
  // writer.
  void Finish();

  uint64_t now_ns() const { return MonotonicNs() - run_start_ns_; }
  // Up to when everything is in the file, which a full disk may cut short.
  uint64_t safe_ns() const { return safe_ns_; }
  // Processes that found no room for their ring.
  uint64_t without_ring() const { return without_ring_; }
  bool profiled_any() const { return profiled_any_; }
  // Why a process was not profiled, if one was not; empty otherwise.
  const std::string& unsupported() const { return unsupported_; }

 private:
  // `all`: also those that have only just begun.
  void FindProcesses(bool all);
  // `pid` has become another program.
  void EndReplaced(pid_t pid, uint64_t end_ns);
  void ApplyDuration();
  transport::RecordingState StartState() const;
  void NameFrames();
  void WriteSymbols(const std::vector<symbolize::NamedFrame>& frames);
  void WriteSources();
  void WriteOwnCost();
  void Save();
  void MakeWhole();

  SessionDirectory& session_;
  base::RecordOptions options_;
  uint64_t run_start_ns_;
  format::CaptureWriter& writer_;
  Counters counters_{writer_, format::ProcessId{0}};  // of the whole run
  StackTable stacks_;
  os::VdsoFile vdso_;  // must outlive namer_
  FrameNamer namer_;
  size_t handed_to_namer_ = 0;  // of stacks_.native_frames()
  std::vector<std::unique_ptr<ProcessCapture>> processes_;
  PollBudget budget_;
  uint64_t flushed_ns_ = 0;
  uint64_t checked_ns_ = 0;
  uint64_t safe_ns_ = 0;
  uint64_t without_ring_ = 0;
  uint64_t cost_ns_ = 0;          // as written last
  uint64_t earlier_cost_ns_ = 0;  // of the process that collected before this one
  std::set<std::string> sources_written_;
  transport::RecordingState recording_;
  bool profiled_any_ = false;
  bool has_other_users_ = false;
  std::string unsupported_;
};

}  // namespace pyrometer::capture
