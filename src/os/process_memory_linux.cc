// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "os/process_memory.h"
#include "os/read_file.h"

namespace pyrometer::os {
namespace {

std::string ReadProcessFile(pid_t pid, const char* name) {
  constexpr size_t kLimit = 1 << 16;
  return ReadFile("/proc/" + std::to_string(pid) + "/" + name, kLimit).value_or("");
}

}  // namespace

uint64_t ReadRssBytes(pid_t pid) {
  // "size resident shared ...", in pages
  const std::string text = ReadProcessFile(pid, "statm");
  const size_t resident = text.find(' ');
  if (resident == std::string::npos) return 0;
  return strtoull(text.c_str() + resident, nullptr, 10) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t ReadPssBytes(pid_t pid) {
  constexpr char kField[] = "\nPss:";
  const std::string text = ReadProcessFile(pid, "smaps_rollup");
  const size_t at = text.find(kField);
  if (at == std::string::npos) return 0;
  return strtoull(text.c_str() + at + sizeof kField - 1, nullptr, 10) * 1024;
}

}  // namespace pyrometer::os
