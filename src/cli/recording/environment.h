// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace pyrometer::cli {

// Set by `python -m pyrometer`: the Python that called us. Not for the program.
inline constexpr char kCallerVariable[] = "PYROMETER_CALLER";

// This process's environment for the program.
std::vector<std::string> PlainEnvironment();

// The same for the profiled program: the agent preloaded,
// before what the user preloads, and the options in a variable. The agent takes
// both out again; what it adds comes last, so that the order of the rest stays.
std::vector<std::string> ProfiledEnvironment(const std::string& agent, const std::string& options);

// Path of the agent library that belongs to this program, the one with or the one without hooks
// on memory; "" when it is not where it should be.
std::string FindAgent(bool with_memory);

}  // namespace pyrometer::cli
