// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pyrometer::cli {

// Adds the argument FILE of commands that read a capture.
void AddCaptureArgument(CLI::App& app, std::string* path);

// The file that FILE means: the capture of the last run where it is empty, and
// that inside of a spool directory.
std::string CapturePath(const std::string& given);

}  // namespace pyrometer::cli
