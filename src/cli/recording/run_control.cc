// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/run_control.h"

#include <unistd.h>

#include <sstream>

#include "cli/recording/snapshot.h"

namespace pyrometer::cli {

using transport::RecordingState;

RunControl::RunControl(capture::Collector& collector, const std::string& session_path,
                       std::string capture, std::string output, uint64_t every_ns)
    : collector_(collector),
      server_(session_path),
      capture_(std::move(capture)),
      output_(std::move(output)),
      every_ns_(every_ns),
      next_ns_(every_ns) {}

void RunControl::Tick() {
  server_.Serve([this](const std::string& request) { return Answer(request); });
  if (every_ns_ == 0 || collector_.now_ns() < next_ns_) return;
  next_ns_ = collector_.now_ns() + every_ns_;
  // Trouble shows when the run ends and the file cannot be written then.
  (void)Snapshot(output_);
}

void RunControl::Toggle() {
  collector_.SetRecording(collector_.recording() == RecordingState::kOn ? RecordingState::kPaused
                                                                        : RecordingState::kOn);
}

std::string RunControl::Answer(const std::string& request) {
  std::istringstream words(request);
  std::string verb, path;
  pid_t pid = 0;
  words >> verb >> pid >> std::ws;
  std::getline(words, path, '\0');
  if (pid != getpid() && !collector_.Has(pid)) return kNotMine;
  if (verb == "snapshot") return Snapshot(path);
  if (collector_.recording() == RecordingState::kStopped)
    return verb == "stop" ? "ok stopped" : "the recording has been stopped for good";
  if (verb == "start") {
    collector_.SetRecording(RecordingState::kOn);
    return "ok recording";
  }
  if (verb == "pause") {
    collector_.SetRecording(RecordingState::kPaused);
    return "ok paused";
  }
  if (verb == "stop") {
    collector_.SetRecording(RecordingState::kStopped);
    return "ok stopped";
  }
  return "unknown request";
}

std::string RunControl::Snapshot(const std::string& path) {
  collector_.Checkpoint();
  const base::Status status = WriteSnapshot(capture_, path);
  return status.ok() ? "ok " + path : status.error().message;
}

}  // namespace pyrometer::cli
