// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/record_options.h"
#include "capture/core/counters.h"
#include "capture/core/poll_budget.h"
#include "capture/core/run_clock.h"
#include "capture/core/target.h"
#include "capture/core/thread_capture.h"
#include "capture/stacks/code_cache.h"
#include "capture/stacks/stack_table.h"
#include "format/capture_writer.h"
#include "transport/records.h"

namespace pyrometer::capture {

// What a probe is made with: the process and what all who record it share. All of it outlives the
// probe.
struct ProbeContext {
  const Target& target;
  format::ProcessId process;
  const base::RecordOptions& options;
  RunClock clock;
  CodeCache& codes;
  StackTable& stacks;
  format::CaptureWriter& writer;
};

// A record of the target.
struct Record {
  transport::RecordType type;
  std::span<const uint8_t> bytes;  // may be the process's own memory: copied before it is checked
  // Whose stack is now that of the record; nullptr: it is of a type that has none.
  const ThreadCapture* thread = nullptr;

  // Its fixed part; false: it is shorter than that.
  template <class Fixed>
  bool CopyTo(Fixed* out) const {
    if (bytes.size() < sizeof *out) return false;
    std::memcpy(out, bytes.data(), sizeof *out);
    return true;
  }
};

// How a thread has ended. Probes that know better say so.
struct ThreadExit {
  uint64_t end_ns = 0;               // since the start of the run
  std::optional<uint64_t> cpu_ns{};  // its CPU clock then; empty: nobody was there to read it
  uint64_t seen_cpu_ns = 0;          // what that clock has shown to a probe
  std::string name{};                // empty: it has none
};

// One way of recording a process, beside the samples of its threads' CPU time: polls it from
// outside, or takes the records that an engine of the agent writes.
//
// Each call comes to the probes of a process in the order in which they were made, but for Poll().
// For one probe, they come in this order:
//  - ThreadStarted() of a thread, then whatever is of it, then ThreadEnded(). Threads that are left
//    when the process ends get theirs with that time and without a clock. A number may be used
//    again, an address in memory too.
//  - In each round: the records that have come in, Meet(), Poll(). Pause() and Resume() come
//    between the records and Meet(), in turn.
//  - Report() follows each Flush(), Checkpoint() with its Flush(), and End().
//  - End() is the last but for that: after the rest of the records, and after all threads have
//    ended. It also comes when records have turned out to make no sense, and for a process that
//    goes on as another program: that one gets probes of its own.
//
// Times are since the start of the run, but for those inside of records.
//
// Owned by a ProcessCapture. Thread-safety: one owner.
class Probe {
 public:
  Probe() = default;
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;
  virtual ~Probe() = default;

  // The types of records that it gets. Called once.
  virtual std::vector<transport::RecordType> Takes() const { return {}; }

  // `thread` stays where it is until it has ended.
  virtual void ThreadStarted(const ThreadCapture& /*thread*/) {}
  virtual void ThreadEnded(const ThreadCapture& /*thread*/, ThreadExit& /*exit*/) {}

  // A sample of CPU time, to know about or to add to. Of those that take RecordType::kSample.
  virtual void OnSample(const ThreadCapture& /*thread*/, const transport::SampleRecord& /*record*/,
                        format::Sample& /*sample*/) {}
  // A record of another type. False: it makes no sense.
  virtual bool OnRecord(const Record& /*record*/) { return true; }

  // Polls what is new, which cannot wait until the budget suffices. No process has been polled
  // at in this round.
  virtual void Meet(uint64_t /*now_ns*/) {}
  // Polls from outside, also while the recording is paused. False: put off, because the budget
  // does not suffice; it then comes before the others in the next round.
  virtual bool Poll(uint64_t /*now_ns*/, PollBudget& /*budget*/) { return true; }

  // The recording is switched off and on.
  virtual void Pause(uint64_t /*now_ns*/) {}
  virtual void Resume(uint64_t /*now_ns*/) {}

  // Writes what is open, so that a capture cut off now has it.
  virtual void Flush() {}
  // Makes a whole of what is known so far, for a reader who comes now. Flush() follows.
  virtual void Checkpoint(uint64_t /*now_ns*/) {}
  // Writes the rest. `end` is what is known of how the process ended, to add to.
  virtual void End(uint64_t /*now_ns*/, format::ProcessEnd& /*end*/) {}
  // Tells what it has lost and cost so far.
  virtual void Report(Counters& /*counters*/) const {}
};

using Probes = std::vector<std::unique_ptr<Probe>>;
using ProbeMaker = std::function<Probes(const ProbeContext&)>;

}  // namespace pyrometer::capture
