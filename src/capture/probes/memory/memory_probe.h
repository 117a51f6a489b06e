// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "capture/core/probe.h"
#include "capture/probes/memory/memory_capture.h"

namespace pyrometer::capture {

// The memory of a process, by the records of its agent: brings them into the terms of
// MemoryCapture, and keeps the stacks that later ones may name again.
//
// Thread-safety: one owner.
class MemoryProbe final : public Probe {
 public:
  // REQUIRES: the target has an agent.
  explicit MemoryProbe(const ProbeContext& context);

  std::vector<transport::RecordType> Takes() const override;
  void ThreadStarted(const ThreadCapture& thread) override;
  void ThreadEnded(const ThreadCapture& thread, ThreadExit& exit) override;
  bool OnRecord(const Record& record) override;
  bool Poll(uint64_t now_ns, PollBudget& budget) override;
  void Checkpoint(uint64_t now_ns) override { memory_.Checkpoint(now_ns); }
  void End(uint64_t now_ns, format::ProcessEnd& end) override;
  void Report(Counters& counters) const override;

 private:
  struct Thread {
    format::ThreadId id;
    // That samples of memory may name again (transport::MemorySample).
    std::array<format::StackId, transport::kMaxSeenStacks> seen{};
  };

  bool OnMemorySample(const transport::MemorySample& sample, const ThreadCapture& thread);
  bool OnMemoryAgain(const transport::MemoryAgain& again);
  // `sampled`: either kind of record of a request.
  template <class Sampled>
  bool OnRequest(const Sampled& sampled, format::ThreadId thread, format::StackId stack);

  const transport::RingHeader& agent_;
  RunClock clock_;
  MemoryCapture memory_;
  std::unordered_map<uint32_t, Thread> threads_;
};

}  // namespace pyrometer::capture
