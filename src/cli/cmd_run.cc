// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "analyze/workers/charge_workers.h"
#include "base/record_options.h"
#include "cli/arguments.h"
#include "cli/bare_profile.h"
#include "cli/capture_file.h"
#include "cli/command.h"
#include "cli/defaults.h"
#include "cli/program.h"
#include "cli/recording/child.h"
#include "cli/recording/environment.h"
#include "cli/recording/recording.h"
#include "cli/report_options.h"
#include "cli/run_options.h"
#include "os/perf_event.h"
#include "profile/profile_loader.h"

namespace pyrometer::cli {
namespace {

base::Result<base::RecordOptions> ToRecordOptions(const RunFlags& flags) {
  base::RecordOptions options;
  options.rate_hz = flags.rate;
  options.off = flags.off;
  options.children = !flags.no_children;
  options.native = !flags.no_native;
  options.cpu = !flags.memory_only;
  options.memory = !flags.cpu_only;
  options.mem_interval = flags.mem_interval;
  options.duration_ms = static_cast<uint32_t>(std::ceil(flags.duration * 1000));
  if (!base::SetOption(&options, "clock", flags.clock)) return base::Error{"run: bad option"};
  // Above the tick rate only perf can follow.
  const bool wants_perf =
      options.clock == base::Clock::kPerf ||
      (options.clock == base::Clock::kAuto && options.rate_hz > base::RecordOptions::kFirstRate);
  if (!wants_perf) {
    options.clock = base::Clock::kTimer;
    return options;
  }
  const base::Status allowed = os::CheckPerfEvents();
  if (allowed.ok()) {
    options.clock = base::Clock::kPerf;
  } else if (options.clock == base::Clock::kPerf) {
    return base::Error{"--clock perf: " + allowed.error().message};
  } else {
    std::fprintf(stderr, "pyrometer: %s; sampling at the kernel's tick rate instead\n",
                 allowed.error().message.c_str());
    options.clock = base::Clock::kTimer;
  }
  return options;
}

// Lets go of the program's own streams: who reads its output, or feeds its
// input, must see when the program closes them.
void LeaveStreams(bool keep_output) {
  const base::ScopedFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null.valid()) return;
  dup2(null.get(), STDIN_FILENO);
  if (!keep_output) dup2(null.get(), STDOUT_FILENO);
}

void Say(const std::string& message) { std::fprintf(stderr, "pyrometer: %s\n", message.c_str()); }

std::string Seconds(uint64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ns) / 1e9);
  return text;
}

// What is left to do when the program has ended; trouble here is told, but the
// exit code stays the program's.
void Present(const RecordingEnd& end, const RunFlags& flags, CaptureFile* file) {
  if (!end.why_none.empty()) {
    Say("no profile: " + end.why_none);
    file->Discard();
    return;
  }
  const base::Status published = file->Publish();
  if (!flags.no_report || !flags.report.json.empty() || !flags.report.html.empty()) {
    auto profile = profile::LoadProfileFile(file->readable_path());
    if (!profile.ok()) return Say(profile.error().message);
    analyze::ChargeWorkers(profile.value());
    // The background may have written more than the snapshot by now.
    if (end.has_running) profile.value().load.still_running = true;
    if (const auto status =
            ShowReport(profile.value(), flags.report, STDERR_FILENO, flags.no_report);
        !status.ok())
      Say(status.error().message);
  }
  // Last, where it is seen.
  if (!published.ok()) Say(published.error().message);
}

// Where nothing can be recorded, the program comes first.
int RunUnprofiled(const std::vector<std::string>& command, const std::string& why) {
  Say("the program runs unprofiled: " + why);
  auto child = Child::Start(command, PlainEnvironment());
  if (!child.ok()) return Fail(child.error().message);
  ExitLike(child->Wait([] { return -1; }).status);
}

int ToggleSignal(const RunFlags& flags) {
  if (flags.toggle_signal.empty()) return 0;
  return flags.toggle_signal == "USR1" ? SIGUSR1 : SIGUSR2;
}

}  // namespace

int RunCommand(const std::vector<std::string>& args) {
  CLI::App app("Run a Python program and show where its time goes.", "run");
  RunFlags flags;
  AddRunOptions(app, &flags);
  std::vector<std::string> program;
  const std::vector<std::string> options_part = SplitAtProgram(app, args, &program);
  if (const auto stop = Parse(app, options_part)) return *stop;
  if (const auto status = FillInDefaults(app, ConfigurationFolder(program)); !status.ok())
    return Fail(status.error().message);

  if (const auto status = CheckReportFlags(flags.report, {}, !flags.memory_only, !flags.cpu_only);
      !status.ok())
    return Fail("run: " + status.error().message);

  const auto command = ResolveProgram(program, flags.python);
  if (!command.ok()) return Fail(command.error().message);
  const std::string agent = FindAgent(!flags.cpu_only);
  if (agent.empty()) return Fail("its library libpyrometer_agent is missing beside this program");
  if (const auto status = CheckReportFiles(flags.report); !status.ok())
    return Fail(status.error().message);
  auto options = ToRecordOptions(flags);
  if (!options.ok()) return Fail(options.error().message);
  options->profile_builtin = ProgramUsesBareProfile(program);
  auto file =
      flags.output.empty() ? CaptureFile::CreateLastRun() : CaptureFile::Create(flags.output);
  // Who names a file means that file; otherwise nothing of ours keeps a program from running.
  if (!file.ok() && !flags.output.empty()) return Fail(file.error().message);
  if (!file.ok()) return RunUnprofiled(command.value(), file.error().message);
  auto recording = Recording::Create({.command = command.value(),
                                      .agent = agent,
                                      .options = options.value(),
                                      .every_ns = static_cast<uint64_t>(flags.every * 1e9),
                                      .toggle_signal = ToggleSignal(flags)},
                                     &file.value());
  if (!recording.ok()) {
    file->Discard();
    return RunUnprofiled(command.value(), recording.error().message);
  }
  if (const auto status = recording.value()->StartProgram(); !status.ok()) {
    file->Discard();
    return Fail(status.error().message);
  }
  LeaveStreams(flags.report.json == "-");
  // Who reads the report may go away; the capture and the exit code must not.
  signal(SIGPIPE, SIG_IGN);
  const RecordingEnd end = recording.value()->AwaitProgram();
  if (!end.written.ok())
    Say(end.written.error().message + "; what came after " + Seconds(end.safe_ns) + " is lost");
  Present(end, flags, &file.value());
  if (const size_t running = end.followed; running != 0)
    Say(std::to_string(running) + (running == 1 ? " process" : " processes") +
        " of the program still running, recorded into " + file->path());
  ExitLike(end.program.status);
}

}  // namespace pyrometer::cli
