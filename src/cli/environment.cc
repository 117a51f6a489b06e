// SPDX-License-Identifier: Apache-2.0
#include "cli/environment.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/record_options.h"

namespace pyrometer::cli {

std::vector<std::string> ProfiledEnvironment(const std::string& agent, const std::string& options) {
  constexpr char kPreload[] = "LD_PRELOAD=";
  std::vector<std::string> environment;
  std::string user_preload;
  bool preloads = false;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string text = *entry;
    if (text.starts_with(kCallerVariable) && text[std::strlen(kCallerVariable)] == '=') continue;
    if (text.starts_with(kPreload) && !preloads) {
      preloads = true;
      user_preload = text.substr(sizeof kPreload - 1);
      text = kPreload + agent + (user_preload.empty() ? "" : ":" + user_preload);
    }
    environment.push_back(std::move(text));
  }
  if (!preloads) environment.push_back(kPreload + agent);
  if (preloads) environment.push_back(std::string(base::kPreloadVariable) + "=" + user_preload);
  environment.push_back(std::string(base::kRecordVariable) + "=" + options);
  return environment;
}

std::string FindAgent() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return "";
  for (const char* place : {"../lib", "../lib/pyrometer", "../lib64/pyrometer", "."}) {
    const fs::path agent =
        (self.parent_path() / place / "libpyrometer_agent.so").lexically_normal();
    if (fs::exists(agent, error)) return agent.string();
  }
  return "";
}

}  // namespace pyrometer::cli
