// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include "os/process_facts.h"
#include "os/read_file.h"

namespace pyrometer::os {
namespace {

std::string ReadAll(const std::string& path) {
  constexpr size_t kLimit = 1 << 20;
  return ReadFile(path, kLimit).value_or("");
}

std::vector<std::string> ReadStrings(pid_t pid, const char* file) {
  const std::string text = ReadAll("/proc/" + std::to_string(pid) + "/" + file);
  std::vector<std::string> strings;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\0', at), text.size());
    strings.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return strings;
}

}  // namespace

std::vector<std::string> ReadArguments(pid_t pid) { return ReadStrings(pid, "cmdline"); }

std::vector<std::string> ReadEnvironment(pid_t pid) { return ReadStrings(pid, "environ"); }

std::string ReadExecutable(pid_t pid) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", error).string();
}

std::string ReadThreadName(pid_t pid, pid_t tid) {
  std::string name =
      ReadAll("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

std::optional<uid_t> ReadEffectiveUser(pid_t pid) {
  const std::string status = ReadAll("/proc/" + std::to_string(pid) + "/status");
  unsigned real = 0, effective = 0;
  const size_t line = status.find("\nUid:");
  if (line == std::string::npos ||
      std::sscanf(status.c_str() + line, "\nUid: %u %u", &real, &effective) != 2)
    return std::nullopt;
  return effective;
}

std::optional<pid_t> ReadOwnPid(pid_t pid) {
  const std::string text = ReadAll("/proc/" + std::to_string(pid) + "/status");
  const size_t line = text.find("\nNSpid:");
  if (line == text.npos) return {};
  // One number for each namespace, the innermost last.
  const size_t end = std::min(text.find('\n', line + 1), text.size());
  const size_t last = text.find_last_of("\t :", end - 1) + 1;
  pid_t own = 0;
  const auto [stop, error] = std::from_chars(text.data() + last, text.data() + end, own);
  return error == std::errc() ? std::optional(own) : std::nullopt;
}

std::optional<uint32_t> ReadOnlyCpu(pid_t pid) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(pid, sizeof cpus, &cpus) != 0 || CPU_COUNT(&cpus) != 1) return {};
  for (uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &cpus)) return cpu;
  return {};
}

}  // namespace pyrometer::os
