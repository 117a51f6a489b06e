// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output_file.h"
#include "cli/profile_argument.h"
#include "format/capture_writer.h"
#include "profile/capture_merger.h"

namespace pyrometer::cli {
namespace {

struct MergeFlags {
  std::vector<std::string> paths;
  ProfileArgument reading;
  std::string output;
  std::string align = "start";
};

void AddMergeOptions(CLI::App& app, MergeFlags* flags) {
  SetUsage(app, "pyrometer merge [options] -o OUT FILE...");
  app.add_option("files", flags->paths, "Captures, or profiles of other tools")
      ->type_name("FILE")
      ->required();
  app.add_option("-o,--output", flags->output, "The capture to write")
      ->type_name("OUT")
      ->required();
  app.add_option("--align", flags->align,
                 "start: all begin at the same time, as repeated runs should (the default)\n"
                 "clock: each when it really began, as parts of one job should")
      ->type_name("HOW")
      ->check(CLI::IsMember({"start", "clock"}));
  AddReadingOptions(app, &flags->reading);
}

// Writes blocks of a capture to the stream of a file.
class StreamSink : public format::Sink {
 public:
  explicit StreamSink(std::ostream& out) : out_(out) {}

  base::Status Append(std::span<const uint8_t> bytes) override {
    out_.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!out_) return base::Error{"cannot be written"};
    return {};
  }

 private:
  std::ostream& out_;
};

// When the first of them began.
base::Result<uint64_t> FirstStart(const MergeFlags& flags) {
  uint64_t first = ~uint64_t{0};
  for (const std::string& path : flags.paths) {
    const auto profile = LoadAsRecorded(ProfilePath(path), flags.reading);
    if (!profile.ok()) return profile.error();
    if (profile->run.start_unix_ns == 0)
      return base::Error{path + ": does not say when it began, so --align clock cannot be"};
    first = std::min(first, profile->run.start_unix_ns);
  }
  return first;
}

// The profiles one after the other: only one of them is in memory at a time.
base::Status Merge(const MergeFlags& flags, std::ostream& out) {
  uint64_t first_start = 0;
  if (flags.align == "clock") {
    const auto first = FirstStart(flags);
    if (!first.ok()) return first.error();
    first_start = first.value();
  }
  StreamSink sink(out);
  std::optional<format::CaptureWriter> writer;
  std::optional<profile::CaptureMerger> merger;
  for (const std::string& path : flags.paths) {
    const auto profile = LoadAsRecorded(ProfilePath(path), flags.reading);
    if (!profile.ok()) return profile.error();
    if (!writer) {
      format::RunInfo run = profile->run;
      if (first_start != 0) run.start_unix_ns = first_start;
      writer.emplace(sink, run);
      merger.emplace(*writer);
    }
    merger->Add(profile.value(), first_start != 0 ? profile->run.start_unix_ns - first_start : 0);
  }
  return writer->Finish({merger->end_ns()});
}

}  // namespace

int MergeCommand(const std::vector<std::string>& args) {
  CLI::App app("Write several profiles as one capture.", "merge");
  MergeFlags flags;
  AddMergeOptions(app, &flags);
  if (const auto stop = Parse(app, args)) return *stop;
  if (const auto status = OutputFile::Check(flags.output); !status.ok())
    return Fail(status.error().message);
  OutputFile file(flags.output);
  if (const auto status = Merge(flags, file.stream()); !status.ok())
    return Fail(status.error().message);
  if (const auto status = file.Publish(); !status.ok()) return Fail(status.error().message);
  return 0;
}

}  // namespace pyrometer::cli
