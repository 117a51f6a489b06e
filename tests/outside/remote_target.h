// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "capture/core/target.h"
#include "cpython/threads.h"
#include "os/remote_memory.h"
#include "os/thread_status.h"

namespace pyrometer::capture {

// A process without an agent, from 3.11 on: its threads are those that /proc has, and its
// interpreter knows which of its own each one is.
//
// Thread-safety: one owner.
class RemoteTarget final : public Target {
 public:
  explicit RemoteTarget(Facts facts) : Target(std::move(facts)), memory_(pid()) {}

  transport::RecordingState recording() const override { return recording_; }
  void SetRecording(transport::RecordingState state) override { recording_ = state; }

  bool Drain(const Visit& visit) override {
    const uint64_t now_ns = base::NowNs(CLOCK_MONOTONIC);
    const std::map<uint64_t, uint64_t> pthreads = Pthreads();
    std::map<uint32_t, Known> before = std::exchange(known_, {});
    for (const uint32_t tid : Tids()) {
      const auto schedule = os::ThreadStatus(pid(), static_cast<pid_t>(tid)).ReadSchedule();
      if (!schedule) continue;
      const auto known = before.extract(tid);
      Known thread = known ? known.mapped() : Known{now_ns, 0, 0};
      const auto pthread = pthreads.find(tid);
      // One that has only just begun is none of the interpreter's yet, and tells again.
      const bool tells = !known || (thread.pthread == 0 && pthread != pthreads.end());
      if (pthread != pthreads.end()) thread.pthread = pthread->second;
      if (tells) {
        transport::ThreadStart start{};
        start.tid = tid;
        start.is_main = tid == static_cast<uint32_t>(pid());
        start.pthread = thread.pthread;
        start.time_ns = thread.start_ns;
        start.cpu_ns = schedule->run_ns;
        start.queued_ns = schedule->queued_ns;
        Tell(visit, transport::RecordType::kThreadStart, start);
      }
      thread.cpu_ns = schedule->run_ns;
      known_.emplace(tid, thread);
    }
    for (const auto& [tid, thread] : before) {
      transport::ThreadEnd end{};
      end.tid = tid;
      end.time_ns = now_ns;
      end.cpu_ns = thread.cpu_ns;
      Tell(visit, transport::RecordType::kThreadEnd, end);
    }
    return true;
  }

 private:
  struct Known {
    uint64_t start_ns;  // found to be there
    uint64_t pthread;   // 0: not known yet
    uint64_t cpu_ns;    // when it was there last
  };

  template <class Record>
  static void Tell(const Visit& visit, transport::RecordType type, const Record& record) {
    visit(type, {reinterpret_cast<const uint8_t*>(&record), sizeof record});
  }

  std::vector<uint32_t> Tids() const {
    std::vector<uint32_t> tids;
    std::error_code gone;
    const std::filesystem::path folder = "/proc/" + std::to_string(pid()) + "/task";
    for (const auto& entry : std::filesystem::directory_iterator(folder, gone))
      tids.push_back(
          static_cast<uint32_t>(std::strtoul(entry.path().filename().c_str(), nullptr, 10)));
    return tids;
  }

  // What the interpreter knows its threads by, by the system's number.
  std::map<uint64_t, uint64_t> Pthreads() const {
    std::vector<cpython::PythonThread> threads(1024);
    size_t count = 0;
    std::map<uint64_t, uint64_t> pthreads;
    if (!cpython::ReadThreads(layout(), memory_, runtime(), std::span(threads), &count)) return {};
    for (const cpython::PythonThread& thread : std::span(threads).first(count))
      pthreads.insert_or_assign(thread.native_tid, thread.pthread);
    return pthreads;
  }

  os::RemoteMemory memory_;
  transport::RecordingState recording_ = transport::RecordingState::kOn;
  std::map<uint32_t, Known> known_;
};

}  // namespace pyrometer::capture
