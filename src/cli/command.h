// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace pyrometer::cli {

// Bad input: said in one line on stderr, nothing done.
inline constexpr int kUsageError = 2;

// One entry of the command table in commands.cc.
struct Command {
  const char* name;
  const char* summary;                               // one line, for `pyrometer help`
  int (*run)(const std::vector<std::string>& args);  // arguments after the name
  // Long names of its options that the environment and pyproject.toml may set.
  std::vector<std::string> (*defaultable)() = nullptr;
};

std::span<const Command> Commands();

// The commands; each file cmd_NAME.cc has one.
int RunCommand(const std::vector<std::string>& args);
int ControlCommand(const std::vector<std::string>& args);
int ReportCommand(const std::vector<std::string>& args);
int ExportCommand(const std::vector<std::string>& args);
int DiffCommand(const std::vector<std::string>& args);
int MergeCommand(const std::vector<std::string>& args);
int ViewCommand(const std::vector<std::string>& args);
int HelpCommand(const std::vector<std::string>& args);

std::vector<std::string> RunOptionNames();
std::vector<std::string> ReportOptionNames();

// "pyrometer: message" on stderr; returns kUsageError.
int Fail(const std::string& message);

}  // namespace pyrometer::cli
