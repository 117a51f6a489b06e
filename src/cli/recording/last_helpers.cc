// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/last_helpers.h"

#include <poll.h>

#include <map>
#include <optional>

#include "os/thread_status.h"

namespace pyrometer::cli {
namespace {

constexpr int kPollMs = 5;
// Trackers end within 10 to 85 ms where two CPUs have much to do.
constexpr int kLongestMs = 200;
// A process that runs is seen to run more often than this.
constexpr int kQuietMs = 25;

// The main thread of a process: does it do anything?
class Stirring {
 public:
  explicit Stirring(pid_t pid) : status_(pid, pid), last_(status_.ReadSchedule()) {}

  // For how many calls it has been asleep.
  int CountQuiet() {
    const std::optional<os::Schedule> now = status_.ReadSchedule();
    const bool asleep = now == last_ && status_.ReadBlockedCall().has_value();
    last_ = now;
    return quiet_ = asleep ? quiet_ + 1 : 0;
  }

 private:
  os::ThreadStatus status_;
  std::optional<os::Schedule> last_;
  int quiet_ = 0;
};

}  // namespace

void AwaitHelpers(capture::Collector& collector) {
  std::map<pid_t, Stirring> helpers;
  for (int waited_ms = 0; waited_ms < kLongestMs; waited_ms += kPollMs) {
    for (const pid_t pid : collector.pids()) {
      const auto [helper, fresh] = helpers.try_emplace(pid, pid);
      if (helper->second.CountQuiet() * kPollMs >= kQuietMs) return;
    }
    poll(nullptr, 0, kPollMs);
    collector.Tick();
    collector.EndDeadProcesses();
    if (!collector.has_running()) return;
  }
}

}  // namespace pyrometer::cli
