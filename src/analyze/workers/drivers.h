// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/workers/own_code.h"
#include "analyze/workers/stack_libraries.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// Finds the thread that waits for a worker, its driver, at one moment. A driver is blocked,
// or runs native code of the library that the worker is in, and it does so for a line of the
// user's code. docs/design/0010-workers.md has the rules and why.
//
// What it is made from must outlive it; the profile's stacks may grow meanwhile.
// Thread-safety: none; one owner.
class Drivers {
 public:
  // `wanted` are the processes, by index, that will be asked for.
  Drivers(const profile::Profile& profile, const OwnCode& own,
          const std::vector<std::optional<size_t>>& main_of, const std::vector<bool>& wanted);

  // A sample of a worker.
  struct Worker {
    format::ThreadId thread;
    format::StackId stack;
    uint64_t time_ns;
  };
  enum class Outcome {
    kNobody,   // no thread of the process is in the user's code
    kUnclear,  // some are, and none of them is certain to wait for the worker
    kFound,
  };
  struct Found {
    Outcome outcome = Outcome::kNobody;
    format::StackId stack{};  // of the driver
  };

  // The driver in the process of that index, which may be another one than the worker's.
  // REQUIRES: time_ns is never less than in the call before
  Found Find(size_t process, const Worker& worker);
  // The main thread of that process if it waits for the worker outside of the user's code.
  std::optional<format::StackId> FindMainOutside(size_t process, const Worker& worker);

 private:
  // Samples of one thread, by time.
  struct Track {
    std::vector<uint32_t> samples;
    size_t next = 0;  // the first that may still be near
  };
  // One thread that may drive. Blocked, in the run queue and the rest are apart: each is without
  // overlaps, but a wait is written later than samples of the CPU that come after it.
  struct Timeline {
    format::ThreadId thread{};
    bool main = false;
    std::array<Track, 3> tracks;
    size_t size() const;
  };
  struct Process {
    std::vector<Timeline> threads;  // the main one first
    uint64_t slack_ns = 0;
  };
  // What a thread does for a worker.
  struct State {
    bool in_own_code = false;
    std::optional<format::StackId> drives;
    uint64_t distance_ns = 0;  // from the moment at which it is known to
  };
  enum class Where { kOwnCode, kOutside };

  State StateAt(const Process& process, Timeline& timeline, const Worker& worker, bool same_process,
                Where where);
  void Follow(Track& track, uint64_t slack_ns, const Worker& worker, bool same_process, Where where,
              State& state);
  bool Drives(uint32_t sample, const Worker& worker, bool same_process);

  const profile::Profile& profile_;
  const OwnCode& own_;
  StackLibraries libraries_;
  std::vector<Process> processes_;
};

}  // namespace pyrometer::analyze
