// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/capture_argument.h"
#include "cli/command.h"
#include "cli/defaults.h"
#include "cli/export_formats.h"
#include "cli/output_file.h"
#include "cli/report_options.h"
#include "profile/profile_loader.h"

namespace pyrometer::cli {
namespace {

struct ExportFlags {
  std::string path;
  std::string format;
  std::string output;
  std::string base;
  bool no_config = false;
  ReportFlags report;
};

std::string FormatHelp() {
  std::string help;
  for (const ExportFormat& format : ExportFormats())
    help += (help.empty() ? "" : "\n") + std::string(format.name) + ": " + format.summary;
  return help;
}

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const ExportFormat& format : ExportFormats()) names.emplace_back(format.name);
  return names;
}

void AddExportOptions(CLI::App& app, ExportFlags* flags) {
  SetUsage(app, "pyrometer export [options] -f FORMAT [FILE]");
  AddCaptureArgument(app, &flags->path);
  app.add_option("-f,--format", flags->format, FormatHelp())
      ->type_name("FORMAT")
      ->required()
      ->check(CLI::IsMember(FormatNames()));
  app.add_option("-o,--output", flags->output,
                 "Where to ('-': standard output). Without it, text goes to standard output, and\n"
                 "anything else to a file beside FILE, with another ending")
      ->type_name("OUT");
  app.add_option("--base", flags->base, "A capture to compare with, in the page of html")
      ->type_name("FILE");
  AddScopeOptions(app, &flags->report);
  AddScopeDefaultsOption(app, &flags->no_config);
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
  if (!flags.base.empty() && !format.takes_base)
    return Fail(std::string("--base: ") + format.name + " shows one profile only");
  const std::string output =
      flags.output.empty() ? DefaultOutput(format, flags.path) : flags.output;
  if (const auto status = OutputFile::Check(output); !status.ok())
    return Fail(status.error().message);
  const auto profile = profile::LoadProfileFile(CapturePath(flags.path));
  if (!profile.ok()) return Fail(profile.error().message);
  ExportInput input{profile.value(), nullptr, flags.report.options()};
  std::optional<base::Result<profile::Profile>> base;
  if (!flags.base.empty()) {
    base = profile::LoadProfileFile(CapturePath(flags.base));
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
