// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "os/process_watch.h"
#include "os/read_file.h"

namespace pyrometer::os {
namespace {

// PIDFD_GET_INFO of <linux/pidfd.h>, which older headers lack. The call fills
// in as much as both sides know.
struct PidfdInfo {
  uint64_t mask;
  uint64_t cgroup;
  uint32_t ids[11];
  int32_t exit_status;
};
static_assert(sizeof(PidfdInfo) == 64);
constexpr uint64_t kInfoExit = 1u << 3;
constexpr unsigned long kGetInfo = _IOWR(0xff, 11, PidfdInfo);

// Known from the time that the parent waits for the process.
std::optional<int> StatusOfReaped(int pidfd) {
  PidfdInfo info{};
  info.mask = kInfoExit;
  if (ioctl(pidfd, kGetInfo, &info) != 0 || (info.mask & kInfoExit) == 0) return std::nullopt;
  return info.exit_status;
}

// Known until then, unless it is 0.
std::optional<int> StatusOfZombie(int pidfd, pid_t pid) {
  constexpr size_t kMaxBytes = 4096;
  const auto stat = ReadFile("/proc/" + std::to_string(pid) + "/stat", kMaxBytes);
  // As long as it can be signalled, the number is its own.
  if (!stat || syscall(SYS_pidfd_send_signal, pidfd, 0, nullptr, 0) != 0) return std::nullopt;
  // "pid (name) Z ... status": the name may have brackets and spaces.
  const size_t state = stat->rfind(") ");
  const size_t status = stat->rfind(' ');
  if (state == std::string::npos || (*stat)[state + 2] != 'Z') return std::nullopt;
  const int value = std::atoi(stat->c_str() + status);
  if (value == 0) return std::nullopt;  // or it is not for us to know
  return value;
}

}  // namespace

ProcessWatch::ProcessWatch(pid_t pid)
    : pid_(pid), fd_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}

bool ProcessWatch::Ended() const {
  if (!fd_.valid()) return kill(pid_, 0) != 0 && errno == ESRCH;
  pollfd wait{fd_.get(), POLLIN, 0};
  return poll(&wait, 1, 0) > 0;
}

std::optional<int> ProcessWatch::Status() const {
  if (!fd_.valid()) return std::nullopt;
  if (const auto status = StatusOfReaped(fd_.get())) return status;
  if (const auto status = StatusOfZombie(fd_.get(), pid_)) return status;
  return StatusOfReaped(fd_.get());  // its parent may have waited just now
}

}  // namespace pyrometer::os
