// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "cli/command.h"

namespace pyrometer::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "run a Python program and show where its time goes", RunCommand, RunOptionNames},
    {"report", "show the report of a recorded run again", ReportCommand, ReportOptionNames},
    {"view", "show a recorded run in the browser", ViewCommand},
    {"export", "write a recorded run in another format", ExportCommand},
    {"diff", "compare recorded runs", DiffCommand},
    {"merge", "write several profiles as one", MergeCommand},
    {"control", "switch a recording on and off while the program runs", ControlCommand},
    {"help", "explain a command", HelpCommand},
};

}  // namespace

std::span<const Command> Commands() { return kCommands; }

int Fail(const std::string& message) {
  std::fprintf(stderr, "pyrometer: %s\n", message.c_str());
  return kUsageError;
}

}  // namespace pyrometer::cli
