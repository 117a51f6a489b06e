// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/defaults.h"
#include "cli/profile_argument.h"
#include "cli/report_options.h"
#include "profile/one_process.h"

namespace pyrometer::cli {
namespace {

struct ReportCommandFlags {
  ProfileArgument profile;
  std::optional<uint64_t> pid;
  bool no_config = false;
  ReportFlags report;
};

void AddReportCommandOptions(CLI::App& app, ReportCommandFlags* flags) {
  SetUsage(app, "pyrometer report [options] [FILE]");
  AddProfileArgument(app, &flags->profile);
  app.add_option("--process", flags->pid, "Only this process")->type_name("PID");
  AddReportOptions(app, &flags->report);
  AddDefaultsOption(app, &flags->no_config);
}

}  // namespace

std::vector<std::string> ReportOptionNames() {
  CLI::App app;
  ReportCommandFlags flags;
  AddReportCommandOptions(app, &flags);
  return DefaultableNames(app);
}

int ReportCommand(const std::vector<std::string>& args) {
  CLI::App app("Show the report of a recorded run.", "report");
  ReportCommandFlags flags;
  AddReportCommandOptions(app, &flags);
  if (const auto stop = Parse(app, args)) return *stop;
  if (const auto status = FillInDefaults(app, "."); !status.ok())
    return Fail(status.error().message);

  const std::string path = ProfilePath(flags.profile.path);
  auto profile = LoadAnyProfile(path, flags.profile);
  if (!profile.ok()) return Fail(profile.error().message);
  if (flags.pid) {
    profile = profile::OneProcess(std::move(profile).value(), *flags.pid);
    if (profile.value().processes.empty())
      return Fail(path + " has no process " + std::to_string(*flags.pid) +
                  "; `pyrometer report` lists them");
  }
  const bool quiet = flags.report.json == "-";
  if (const auto status = ShowReport(profile.value(), flags.report, STDOUT_FILENO, quiet);
      !status.ok())
    return Fail(status.error().message);
  return 0;
}

}  // namespace pyrometer::cli
