// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"

// Options that the command line does not give come from the environment
// (PYROMETER_RATE for --rate), then from [tool.pyrometer] in pyproject.toml.
// Both go through the same conversion and checks as the command line.
namespace pyrometer::cli {

// Adds --no-config and says in the help of `app` where defaults come from.
void AddDefaultsOption(CLI::App& app, bool* no_config);

// The same for a command that takes defaults only for what is the user's own code:
// --output of `run` is not where `export` should write.
void AddScopeDefaultsOption(CLI::App& app, bool* no_config);

// Long names of the options of `app` that can have such a default.
std::vector<std::string> DefaultableNames(const CLI::App& app);

// Gives the options of `app`, which has parsed the command line, what the
// environment and the nearest pyproject.toml of `folder` or above say. Names that
// no command has are errors.
base::Status FillInDefaults(CLI::App& app, const std::string& folder);
base::Status FillInScopeDefaults(CLI::App& app, const std::string& folder);

}  // namespace pyrometer::cli
