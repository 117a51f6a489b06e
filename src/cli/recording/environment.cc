// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/environment.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/record_options.h"

namespace pyrometer::cli {

std::vector<std::string> PlainEnvironment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with(kCallerVariable) || text[std::strlen(kCallerVariable)] != '=')
      environment.emplace_back(text);
  }
  return environment;
}

std::vector<std::string> ProfiledEnvironment(const std::string& agent, const std::string& options) {
  constexpr char kPreload[] = "LD_PRELOAD=";
  std::vector<std::string> environment = PlainEnvironment();
  std::string user_preload;
  bool preloads = false;
  for (std::string& text : environment) {
    if (!text.starts_with(kPreload) || preloads) continue;
    preloads = true;
    user_preload = text.substr(sizeof kPreload - 1);
    text = kPreload + agent + (user_preload.empty() ? "" : ":" + user_preload);
  }
  if (!preloads) environment.push_back(kPreload + agent);
  if (preloads) environment.push_back(std::string(base::kPreloadVariable) + "=" + user_preload);
  environment.push_back(std::string(base::kRecordVariable) + "=" + options);
  return environment;
}

std::string FindAgent(bool with_memory) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return "";
  for (const char* place : {"../lib", "../lib/pyrometer", "../lib64/pyrometer", "."}) {
    const char* const name = with_memory ? "libpyrometer_agent.so" : "libpyrometer_agent_time.so";
    const fs::path agent = (self.parent_path() / place / name).lexically_normal();
    if (fs::exists(agent, error)) return agent.string();
  }
  return "";
}

}  // namespace pyrometer::cli
