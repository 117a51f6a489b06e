// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "capture/session/collector.h"
#include "capture/session/control_server.h"

namespace pyrometer::cli {

// What can be asked of a run while it goes on: to start, pause and stop the
// recording, and to write down what there is so far. Asked by `pyrometer
// control`, by a signal, or by the clock (--every).
//
// Thread-safety: one owner.
class RunControl {
 public:
  // All must outlive it. `capture` is the file that is being written, `output`
  // the one that --every keeps up to date, every `every_ns` (0: never).
  RunControl(capture::Collector& collector, const std::string& session_path, std::string capture,
             std::string output, uint64_t every_ns);

  // Call with every tick of the collector.
  void Tick();
  // On becomes off, and off on.
  void Toggle();

 private:
  // Answers a request, "VERB PID [FILE]", with one line: "ok ..." or why not.
  std::string Answer(const std::string& request);
  std::string Snapshot(const std::string& path);

  capture::Collector& collector_;
  capture::ControlServer server_;
  std::string capture_;
  std::string output_;
  uint64_t every_ns_;
  uint64_t next_ns_;
};

// Answer to a request that concerns a process of another run.
inline constexpr char kNotMine[] = "not mine";

}  // namespace pyrometer::cli
