// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "capture/core/threads.h"
#include "cpython/layout.h"
#include "transport/records.h"
#include "transport/ring.h"

namespace pyrometer::capture {

// A process that is polled: what probes may ask about it, and where records of it come from.
// How it is reached is the matter of its kind: by an agent inside that writes a ring, or only from
// outside.
//
// Owned by the ProcessCapture that records it. Thread-safety: one owner.
class Target {
 public:
  // What does not change while the process runs this program.
  struct Facts {
    pid_t pid = 0;
    uint32_t parent_pid = 0;
    uint64_t start_ns = 0;      // CLOCK_MONOTONIC
    std::string unsupported{};  // why its interpreter cannot be read; empty: it can
    cpython::Layout layout{};   // of the interpreter, as `runtime`; for what can be read
    uint64_t runtime = 0;       // address of _PyRuntime
  };
  using Visit = std::function<void(transport::RecordType, std::span<const uint8_t>)>;

  explicit Target(Facts facts) : facts_(std::move(facts)) {}
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  pid_t pid() const { return facts_.pid; }
  const Facts& facts() const { return facts_; }
  bool supported() const { return facts_.unsupported.empty(); }
  const cpython::Layout& layout() const { return facts_.layout; }
  uint64_t runtime() const { return facts_.runtime; }

  // Those that have started and not ended, by the records so far. The owner keeps them.
  const Threads& threads() const { return threads_; }
  Threads& threads() { return threads_; }

  // Whether it is being recorded, which the process itself may switch, too. A stopped recording
  // stays so.
  virtual transport::RecordingState recording() const = 0;
  virtual void SetRecording(transport::RecordingState state) = 0;

  // What an agent inside tells of itself, whenever it likes; nullptr: there is no agent.
  virtual const transport::RingHeader* agent() const { return nullptr; }

  // Calls `visit` with each record since the last call, oldest first: as an agent writes them, or,
  // without one, at least when threads start and end. A record may be in memory of the process.
  // False: they make no sense, and there will be no more.
  virtual bool Drain(const Visit& visit) = 0;

 private:
  Facts facts_;
  Threads threads_;
};

}  // namespace pyrometer::capture
