// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "os/process_memory.h"
#include "os/read_file.h"

namespace pyrometer::os {

ResidentMemory::ResidentMemory(pid_t pid)
    : file_(open(("/proc/" + std::to_string(pid) + "/statm").c_str(), O_RDONLY | O_CLOEXEC)) {}

uint64_t ResidentMemory::ReadBytes() const {
  char text[128];
  if (!ReadAgain(file_, text)) return 0;
  // "size resident shared ...", in pages
  const char* const resident = std::strchr(text, ' ');
  if (resident == nullptr) return 0;
  return strtoull(resident, nullptr, 10) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

namespace {

// A number of KiB behind `field` in a file about the process; 0: it is not there.
uint64_t ReadField(pid_t pid, const char* file, std::string_view field) {
  constexpr size_t kLimit = 1 << 16;
  const std::string text =
      ReadFile("/proc/" + std::to_string(pid) + "/" + file, kLimit).value_or("");
  const size_t at = text.find(field);
  if (at == std::string::npos) return 0;
  return strtoull(text.c_str() + at + field.size(), nullptr, 10) * 1024;
}

}  // namespace

uint64_t ReadPeakResidentBytes(pid_t pid) { return ReadField(pid, "status", "\nVmHWM:"); }

uint64_t ReadPssBytes(pid_t pid) { return ReadField(pid, "smaps_rollup", "\nPss:"); }

}  // namespace pyrometer::os
