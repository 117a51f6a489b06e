// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "os/perf_event.h"

namespace pyrometer::os {
namespace {

base::Error Explain(int error) {
  std::string reason = std::strerror(error);
  if (error == EACCES || error == EPERM) {
    std::string level;
    std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
    reason = "not permitted (kernel.perf_event_paranoid is " + (level.empty() ? "unknown" : level) +
             ", 2 or less is needed, and no seccomp filter)";
  }
  return {"perf_event_open: " + reason};
}

}  // namespace

base::Result<base::ScopedFd> OpenPerfEvent(pid_t tid, uint64_t period_ns, int signal_number) {
  perf_event_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  attr.sample_period = period_ns;
  attr.wakeup_events = 1;
  attr.disabled = 1;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  // A program that replaces itself by another must not get our signal there,
  // where nothing handles it.
  attr.remove_on_exec = 1;
  base::ScopedFd fd(
      static_cast<int>(syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!fd.valid()) return Explain(errno);
  if (signal_number == 0) return fd;
  const f_owner_ex owner{F_OWNER_TID, tid};
  if (fcntl(fd.get(), F_SETOWN_EX, &owner) != 0 || fcntl(fd.get(), F_SETSIG, signal_number) != 0 ||
      fcntl(fd.get(), F_SETFL, O_ASYNC | O_NONBLOCK) != 0)
    return base::Error{std::string("perf event signal: ") + std::strerror(errno)};
  return fd;
}

void EnablePerfEvent(const base::ScopedFd& event) { ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0); }

base::Status CheckPerfEvents() {
  auto event = OpenPerfEvent(0, 10000000, 0);
  if (!event.ok()) return event.error();
  return {};
}

}  // namespace pyrometer::os
