// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/record_options.h"
#include "cli/report_options.h"

namespace pyrometer::cli {

// What `run` can be told.
struct RunFlags {
  std::string output;
  uint32_t rate = 0;  // 0: as many samples as are cheap
  std::string clock = "auto";
  std::string python;
  double duration = 0;
  double every = 0;
  std::string toggle_signal;
  bool cpu_only = false;
  bool memory_only = false;
  uint32_t mem_interval = 0;
  bool off = false;
  bool no_children = false;
  bool no_native = false;
  bool no_report = false;
  bool no_config = false;
  ReportFlags report;
};

void AddRunOptions(CLI::App& app, RunFlags* flags);

}  // namespace pyrometer::cli
