// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "os/process_watch.h"

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

}  // namespace

ProcessWatch::ProcessWatch(pid_t pid)
    : pid_(pid), fd_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}

bool ProcessWatch::Ended() const {
  if (!fd_.valid()) return kill(pid_, 0) != 0 && errno == ESRCH;
  pollfd wait{fd_.get(), POLLIN, 0};
  return poll(&wait, 1, 0) > 0;
}

std::optional<int> ProcessWatch::Status() const {
  PidfdInfo info{};
  info.mask = kInfoExit;
  if (!fd_.valid() || ioctl(fd_.get(), kGetInfo, &info) != 0 || (info.mask & kInfoExit) == 0)
    return std::nullopt;
  return info.exit_status;
}

}  // namespace pyrometer::os
