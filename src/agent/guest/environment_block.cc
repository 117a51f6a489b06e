// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/environment_block.h"

#include <fcntl.h>
#include <linux/prctl.h>

#include <cstdint>
#include <cstring>

#include "sigsafe/syscall.h"

namespace pyrometer::agent {
namespace {

using sigsafe::Arg;
using sigsafe::Syscall;

// Numbers of the fields of /proc/PID/stat, see proc(5).
enum Field {
  kState = 3,
  kStartCode = 26,
  kEndCode,
  kStartStack,
  kStartData = 45,
  kEndData,
  kStartBrk,
  kArgStart,
  kArgEnd,
  kEnvStart,
  kEnvEnd,
  kFields
};

// The numbers behind the name of the program, which may hold anything.
bool ReadFields(uint64_t (&fields)[kFields]) {
  char text[2048];
  const long fd = Syscall(SYS_openat, AT_FDCWD, Arg("/proc/self/stat"), O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return false;
  const long size = Syscall(SYS_read, fd, Arg(text), sizeof text - 1);
  Syscall(SYS_close, fd);
  if (size <= 0) return false;
  text[size] = '\0';
  const char* at = text + size;
  while (at > text && at[-1] != ')') --at;
  for (int field = kState; field < kFields; ++field) {
    while (*at == ' ') ++at;
    if (*at == '\0') return false;
    fields[field] = 0;
    for (; *at != ' ' && *at != '\0' && *at != '\n'; ++at)
      if (*at >= '0' && *at <= '9')
        fields[field] = fields[field] * 10 + static_cast<uint64_t>(*at - '0');
  }
  return true;
}

uint64_t StartWithout(std::span<const char* const> entries, uint64_t end) {
  for (bool found = true; found;) {
    found = false;
    for (const char* entry : entries) {
      const auto start = reinterpret_cast<uint64_t>(entry);
      if (entry == nullptr || start + std::strlen(entry) + 1 != end) continue;
      end = start;
      found = true;
    }
  }
  return end;
}

}  // namespace

void CutEnvironmentBlock(std::span<const char* const> entries) {
  uint64_t fields[kFields];
  if (!ReadFields(fields)) return;
  const uint64_t end = StartWithout(entries, fields[kEnvEnd]);
  if (end == fields[kEnvEnd] || end < fields[kEnvStart]) return;
  // The end alone needs a privilege; all of them together, as they are, do not.
  prctl_mm_map map{};
  map.start_code = fields[kStartCode];
  map.end_code = fields[kEndCode];
  map.start_data = fields[kStartData];
  map.end_data = fields[kEndData];
  map.start_brk = fields[kStartBrk];
  map.brk = static_cast<uint64_t>(Syscall(SYS_brk, 0));
  map.start_stack = fields[kStartStack];
  map.arg_start = fields[kArgStart];
  map.arg_end = fields[kArgEnd];
  map.env_start = fields[kEnvStart];
  map.env_end = end;
  map.exe_fd = ~0u;
  Syscall(SYS_prctl, PR_SET_MM, PR_SET_MM_MAP, Arg(&map), sizeof map, 0);
}

}  // namespace pyrometer::agent
