// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/spelling.h"
#include "cli/version.h"

namespace pyrometer::cli {
namespace {

const Command* FindCommand(const std::string& name) {
  for (const Command& command : Commands())
    if (name == command.name) return &command;
  return nullptr;
}

// `pyrometer script.py` means `pyrometer run script.py`; a bare word that is
// no command and no program is a slip.
bool LooksLikeProgram(const std::string& word) {
  return word.starts_with("-") || word.find('/') != std::string::npos ||
         word.find('.') != std::string::npos;
}

int Main(std::vector<std::string> args) {
  if (args.empty()) {
    HelpCommand({});
    return kUsageError;
  }
  if (args[0] == "--version" || args[0] == "-V") {
    std::printf("pyrometer %s\n", kVersion);
    return 0;
  }
  if (args[0] == "--help" || args[0] == "-h") return HelpCommand({});
  if (const Command* command = FindCommand(args[0]); command != nullptr) {
    args.erase(args.begin());
    return command->run(args);
  }
  if (LooksLikeProgram(args[0])) return RunCommand(args);
  std::vector<std::string> names;
  for (const Command& command : Commands()) names.emplace_back(command.name);
  if (const std::string near = NearestWord(args[0], names); !near.empty())
    return Fail("no command '" + args[0] + "'; did you mean '" + near + "'?");
  return RunCommand(args);
}

}  // namespace
}  // namespace pyrometer::cli

int main(int argc, char** argv) { return pyrometer::cli::Main({argv + 1, argv + argc}); }
