// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_argument.h"

#include <filesystem>
#include <vector>

#include "analyze/workers/charge_workers.h"
#include "capture/session/session_directory.h"
#include "cli/arguments.h"
#include "cli/last_run.h"
#include "cli/progress_bar.h"
#include "format/layout.h"
#include "import/import_profile.h"
#include "profile/mapped_file.h"
#include "profile/profile_loader.h"

namespace pyrometer::cli {
namespace {

constexpr std::string_view kOwn = "pyrometer";

std::vector<std::string> FormatNames() {
  std::vector<std::string> names = NamesOf(import_::Importers());
  names.emplace(names.begin(), kOwn);
  return names;
}

std::string FormatHelp() {
  std::string help = "What FILE is, where its content does not tell:";
  for (const import_::Importer& importer : import_::Importers())
    help += "\n" + std::string(importer.name) + ": " + importer.summary;
  return help;
}

// "10ms", "1us", "500ns", "2s", "bytes".
base::Result<import_::CountMeaning> ParseCount(const std::string& text) {
  if (text.empty()) return import_::CountMeaning{};
  if (text == "bytes") return import_::CountMeaning{.ns = 0, .given = true};
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  const std::string unit = text.substr(digits);
  const uint64_t factor = unit == "ns"   ? 1
                          : unit == "us" ? 1'000
                          : unit == "ms" ? 1'000'000
                          : unit == "s"  ? 1'000'000'000
                                         : 0;
  const uint64_t number = digits > 0 && digits < 10 ? std::stoull(text.substr(0, digits)) : 0;
  if (factor == 0 || number == 0)
    return base::Error{"--count-is " + text + ": give a time such as 10ms or 1us, or bytes"};
  return import_::CountMeaning{.ns = number * factor, .given = true};
}

base::Result<profile::Profile> Load(profile::MappedFile& mapped, const ProfileArgument& argument) {
  const std::span<const uint8_t> file = mapped.bytes();
  const auto count = ParseCount(argument.count_is);
  if (!count.ok()) return count.error();
  const bool own = argument.from.empty() ? format::HasFileMagic(file) : argument.from == kOwn;
  ProgressBar bar("reading");
  if (own) return profile::LoadProfile(file, {}, [&](size_t done) { bar.Show(done, file.size()); });
  return import_::ImportProfile(file, argument.from, {.count = count.value()},
                                [&](size_t done, size_t total) {
                                  bar.Show(done, total);
                                  mapped.Forget(done);
                                });
}

}  // namespace

void AddReadingOptions(CLI::App& app, ProfileArgument* argument) {
  app.add_option("--from", argument->from, FormatHelp())
      ->type_name("FORMAT")
      ->check(CLI::IsMember(FormatNames()));
  app.add_option("--count-is", argument->count_is,
                 "What one count is in formats without units: a time (10ms, 1us), or bytes")
      ->type_name("WHAT");
}

void AddProfileArgument(CLI::App& app, ProfileArgument* argument) {
  app.add_option("file", argument->path,
                 "The capture, or the profile of another tool, or the spool directory of a run\n"
                 "whose launcher was killed; without it, the last run")
      ->type_name("FILE");
  AddReadingOptions(app, argument);
}

std::string ProfilePath(const std::string& given) {
  const std::string path = given.empty() ? LastRunPath() : given;
  const std::string capture = capture::SessionDirectory::CaptureOf(path);
  return capture.empty() ? path : capture;
}

base::Status CheckProfile(const std::string& path, const ProfileArgument& argument) {
  const base::Result<profile::MappedFile> file = profile::MappedFile::Open(path);
  if (!file.ok()) return base::Error{path + ": " + file.error().message};
  if (const auto count = ParseCount(argument.count_is); !count.ok()) return count.error();
  if (!argument.from.empty() || format::HasFileMagic(file.value().bytes())) return {};
  const auto importer = import_::Recognise(file.value().bytes());
  if (!importer.ok()) return base::Error{path + ": " + importer.error().message};
  return {};
}

base::Result<profile::Profile> LoadAsRecorded(const std::string& path,
                                              const ProfileArgument& argument) {
  base::Result<profile::MappedFile> file = profile::MappedFile::Open(path);
  if (!file.ok()) return base::Error{path + ": " + file.error().message};
  base::Result<profile::Profile> profile = Load(file.value(), argument);
  if (!profile.ok()) return base::Error{path + ": " + profile.error().message};
  // Other tools seldom say what they ran.
  if (profile->run.command.empty()) profile->run.command = {std::filesystem::path(path).filename()};
  return profile;
}

base::Result<profile::Profile> LoadAnyProfile(const std::string& path,
                                              const ProfileArgument& argument) {
  base::Result<profile::Profile> profile = LoadAsRecorded(path, argument);
  if (profile.ok()) analyze::ChargeWorkers(profile.value());
  return profile;
}

}  // namespace pyrometer::cli
