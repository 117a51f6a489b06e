// SPDX-License-Identifier: Apache-2.0
#include "capture/targets/ring_target.h"

#include <atomic>
#include <cstring>
#include <utility>

namespace pyrometer::capture {
namespace {

std::string Unsupported(const transport::RingHeader& header) {
  if (header.state != transport::ProcessState::kUnsupported) return "";
  const std::string why(header.message, strnlen(header.message, sizeof header.message));
  return why.empty() ? "this interpreter could not be profiled" : why;
}

Target::Facts FactsOf(const transport::RingHeader& header) {
  return {.pid = static_cast<pid_t>(header.pid),
          .parent_pid = header.parent_pid,
          .start_ns = header.start_ns,
          .unsupported = Unsupported(header),
          .layout = header.layout,
          .runtime = header.runtime};
}

}  // namespace

RingTarget::RingTarget(RingMapping ring) : Target(FactsOf(ring.header())), ring_(std::move(ring)) {}

void RingTarget::SetRecording(transport::RecordingState state) {
  std::atomic<transport::RecordingState>& now = ring_.header().recording;
  if (now != transport::RecordingState::kStopped) now = state;
}

}  // namespace pyrometer::capture
