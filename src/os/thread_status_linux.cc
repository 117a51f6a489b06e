// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "os/read_file.h"
#include "os/thread_status.h"

namespace pyrometer::os {
namespace {

base::ScopedFd OpenTaskFile(pid_t pid, pid_t tid, const char* name, bool* out_of_files) {
  const std::string path =
      "/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/" + name;
  base::ScopedFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() && (errno == EMFILE || errno == ENFILE)) *out_of_files = true;
  return fd;
}

}  // namespace

ThreadStatus::ThreadStatus(pid_t pid, pid_t tid)
    : schedule_(OpenTaskFile(pid, tid, "schedstat", &out_of_files_)),
      call_(OpenTaskFile(pid, tid, "syscall", &out_of_files_)) {}

std::optional<Schedule> ThreadStatus::ReadSchedule() const {
  char text[128];
  if (!ReadAgain(schedule_, text)) return std::nullopt;
  Schedule schedule;
  char* p = text;
  schedule.run_ns = strtoull(p, &p, 10);
  schedule.queued_ns = strtoull(p, &p, 10);
  schedule.slices = strtoull(p, &p, 10);
  return schedule;
}

std::optional<BlockedCall> ThreadStatus::ReadBlockedCall() const {
  char text[256];
  if (!ReadAgain(call_, text) || text[0] == 'r') return std::nullopt;  // "running"
  BlockedCall call;
  char* p = text;
  call.number = strtoll(p, &p, 10);
  if (call.number >= 0)
    for (uint64_t& arg : call.args) arg = strtoull(p, &p, 16);
  call.stack_pointer = strtoull(p, &p, 16);
  call.instruction = strtoull(p, &p, 16);
  return call;
}

}  // namespace pyrometer::os
