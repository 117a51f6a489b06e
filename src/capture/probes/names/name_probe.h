// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "capture/core/probe.h"
#include "capture/probes/names/name_reader.h"

namespace pyrometer::capture {

// What a program calls its threads, from outside: asked soon after one has started and then once a
// second, as a program may rename them.
//
// Thread-safety: one owner.
class NameProbe final : public Probe {
 public:
  explicit NameProbe(const ProbeContext& context);

  void ThreadStarted(const ThreadCapture& thread) override;
  void ThreadEnded(const ThreadCapture& thread, ThreadExit& exit) override;
  bool Poll(uint64_t now_ns, PollBudget& budget) override;

 private:
  const Target& target_;
  NameReader reader_;
  std::map<uint32_t, std::string> names_;  // by the thread's number
  uint64_t due_ns_ = 0;
  uint64_t again_ns_ = 0;  // when a new thread may have them read again
};

}  // namespace pyrometer::capture
