// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "cli/command.h"

namespace pyrometer::cli {

int HelpCommand(const std::vector<std::string>& args) {
  if (!args.empty()) {
    for (const Command& command : Commands())
      if (args[0] == command.name && command.run != HelpCommand) return command.run({"--help"});
    if (args[0] != "help") return Fail("no command '" + args[0] + "'; see 'pyrometer help'");
  }
  std::printf(
      "pyrometer shows where a Python program spends its time, line by line.\n\n"
      "  pyrometer run script.py [arguments]\n\n"
      "Commands:\n");
  for (const Command& command : Commands())
    std::printf("  %-8s %s\n", command.name, command.summary);
  std::printf(
      "\n'pyrometer help COMMAND' explains one of them. 'pyrometer script.py' is short for run.\n");
  return 0;
}

}  // namespace pyrometer::cli
