// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/defaults.h"
#include "cli/export_formats.h"
#include "cli/output_file.h"
#include "cli/profile_argument.h"
#include "cli/report_options.h"

namespace pyrometer::cli {
namespace {

struct ExportFlags {
  ProfileArgument profile;
  std::string format;
  std::string output;
  std::string base;
  std::string metric;
  export_::ExchangeOptions exchange;
  bool no_config = false;
  ReportFlags report;
};

std::string FormatHelp() {
  std::string help;
  for (const ExportFormat& format : ExportFormats())
    help += (help.empty() ? "" : "\n") + std::string(format.name) + ": " + format.summary;
  return help;
}

std::string MetricHelp() {
  std::string help = "What formats with one value for each stack show:";
  size_t width = 0;  // of the line; 0: none yet
  for (const metric::Info& info : metric::Listed(metric::kExported)) {
    const bool wrap = width + info.name.size() > 70;
    help += (width == 0 ? "\n" : wrap ? ",\n" : ", ") + std::string(info.name);
    width = width == 0 || wrap ? info.name.size() : width + 2 + info.name.size();
  }
  return help + " (cpu, and\nlive_at_peak where no time was recorded)";
}

void AddExportOptions(CLI::App& app, ExportFlags* flags) {
  SetUsage(app, "pyrometer export [options] -f FORMAT [FILE]");
  AddProfileArgument(app, &flags->profile);
  app.add_option("-f,--format", flags->format, FormatHelp())
      ->type_name("FORMAT")
      ->required()
      ->check(CLI::IsMember(NamesOf(ExportFormats())));
  app.add_option("-o,--output", flags->output,
                 "Where to ('-': standard output). Without it, text goes to standard output, and\n"
                 "anything else to a file beside FILE, with another ending")
      ->type_name("OUT");
  app.add_option("--base", flags->base, "A profile to compare with, in the page of html")
      ->type_name("FILE");
  app.add_option("--metric", flags->metric, MetricHelp())->type_name("METRIC");
  app.add_flag("--functions", flags->exchange.functions,
               "Frames are functions, where they would be lines");
  app.add_flag("--threads", flags->exchange.threads, "Stacks of each thread apart");
  AddScopeOptions(app, &flags->report);
  AddScopeDefaultsOption(app, &flags->no_config);
}

base::Status CheckMetric(const ExportFormat& format, const metric::Table& metrics,
                         ExportFlags* flags) {
  if (flags->metric.empty()) return {};
  const auto metric = FindMetric("--metric", flags->metric, metrics, metric::kExported);
  if (!metric.ok()) return metric.error();
  using Takes = ExportFormat::Takes;
  const metric::Unit unit = metrics[metric.value()].unit;
  const Takes::Metrics takes = format.takes.metric;
  if (takes == Takes::kNoMetric)
    return base::Error{std::string("--metric: ") + format.name + " is not about one metric"};
  if (takes == Takes::kTime && unit != metric::Unit::kNanoseconds)
    return base::Error{std::string("--metric: ") + format.name + " is about time"};
  if (takes == Takes::kMemory && unit != metric::Unit::kBytes)
    return base::Error{std::string("--metric: ") + format.name + " is about memory"};
  flags->exchange.metric = metric.value();
  return {};
}

// What was asked for must be something that the format can do.
base::Status CheckTaken(const ExportFormat& format, const ExportFlags* flags) {
  if (!flags->base.empty() && !format.takes.base)
    return base::Error{std::string("--base: ") + format.name + " shows one profile only"};
  if (flags->exchange.functions && !format.takes.functions)
    return base::Error{std::string("--functions: ") + format.name + " has no such choice"};
  if (flags->exchange.threads && !format.takes.threads)
    return base::Error{std::string("--threads: ") + format.name + " has no such choice"};
  return {};
}

// The last run lies where nobody looks for files.
std::string DefaultOutput(const ExportFormat& format, const std::string& given) {
  if (format.ending == nullptr) return "-";
  if (given.empty()) return std::string("pyrometer") + format.ending;
  std::filesystem::path path(given);
  if (!path.has_filename()) path = path.parent_path();
  return path.replace_extension(format.ending);
}

}  // namespace

int ExportCommand(const std::vector<std::string>& args) {
  CLI::App app("Write a recorded run in another format.", "export");
  ExportFlags flags;
  AddExportOptions(app, &flags);
  if (const auto stop = Parse(app, args)) return *stop;
  if (const auto status = FillInScopeDefaults(app, "."); !status.ok())
    return Fail(status.error().message);

  const ExportFormat& format = *FindExportFormat(flags.format);
  if (const auto status = CheckTaken(format, &flags); !status.ok())
    return Fail(status.error().message);
  const std::string output =
      flags.output.empty() ? DefaultOutput(format, flags.profile.path) : flags.output;
  if (const auto status = OutputFile::Check(output); !status.ok())
    return Fail(status.error().message);
  const auto profile = LoadAnyProfile(ProfilePath(flags.profile.path), flags.profile);
  if (!profile.ok()) return Fail(profile.error().message);
  if (const auto status = CheckMetric(format, profile.value().metrics, &flags); !status.ok())
    return Fail(status.error().message);
  ExportInput input{profile.value(), nullptr, flags.report.options({}), flags.exchange};
  std::optional<base::Result<profile::Profile>> base;
  if (!flags.base.empty()) {
    base = LoadAnyProfile(ProfilePath(flags.base), flags.profile);
    if (!base->ok()) return Fail(base->error().message);
    input.base = &base->value();
  }
  OutputFile file(output);
  if (const auto status = format.write(input, file.stream()); !status.ok())
    return Fail(status.error().message);
  if (const auto status = file.Publish(); !status.ok()) return Fail(status.error().message);
  if (flags.output.empty() && output != "-")
    std::fprintf(stderr, "pyrometer: written to %s\n", output.c_str());
  return 0;
}

}  // namespace pyrometer::cli
