// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "analyze/charge_workers.h"
#include "base/clock.h"
#include "base/record_options_text.h"
#include "capture/collector.h"
#include "cli/arguments.h"
#include "cli/background.h"
#include "cli/bare_profile.h"
#include "cli/capture_file.h"
#include "cli/child.h"
#include "cli/command.h"
#include "cli/defaults.h"
#include "cli/environment.h"
#include "cli/last_helpers.h"
#include "cli/program.h"
#include "cli/report_options.h"
#include "cli/run_control.h"
#include "cli/run_options.h"
#include "cli/version.h"
#include "format/file_sink.h"
#include "os/open_files.h"
#include "os/perf_event.h"
#include "profile/profile_loader.h"

namespace pyrometer::cli {
namespace {

base::Result<base::RecordOptions> ToRecordOptions(const RunFlags& flags,
                                                  const std::string& session) {
  base::RecordOptions options;
  options.rate_hz = flags.rate;
  options.off = flags.off;
  options.children = !flags.no_children;
  options.native = !flags.no_native;
  options.cpu = !flags.memory_only;
  options.memory = !flags.cpu_only;
  options.mem_interval = flags.mem_interval;
  options.duration_ms = static_cast<uint32_t>(std::ceil(flags.duration * 1000));
  if (!base::SetOption(&options, "clock", flags.clock) ||
      !base::SetOption(&options, "session", session))
    return base::Error{"run: bad option"};
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

format::RunInfo DescribeRun(const std::vector<std::string>& command,
                            const base::RecordOptions& options) {
  format::RunInfo run;
  run.pyrometer_version = kVersion;
  run.command = command;
  std::error_code error;
  run.working_directory = std::filesystem::current_path(error).string();
  utsname system;
  if (uname(&system) == 0)
    run.operating_system =
        std::string(system.sysname) + " " + system.release + " " + system.machine;
  run.start_unix_ns = base::NowNs(CLOCK_REALTIME);
  base::RecordOptions shown = options;
  shown.session[0] = '\0';
  run.options = base::OptionsText(shown);
  return run;
}

format::ProcessEnd DescribeEnd(const ChildEnd& end, uint64_t now_ns) {
  const auto ns = [](const timeval& t) {
    return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(t.tv_usec) * 1000;
  };
  format::ProcessEnd process;
  process.end_ns = now_ns;
  if (WIFEXITED(end.status)) process.exit_code = WEXITSTATUS(end.status);
  if (WIFSIGNALED(end.status)) process.exit_signal = WTERMSIG(end.status);
  process.user_cpu_ns = ns(end.usage.ru_utime);
  process.system_cpu_ns = ns(end.usage.ru_stime);
  process.peak_rss_bytes = static_cast<uint64_t>(end.usage.ru_maxrss) * 1024;
  return process;
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

std::string WhyNone(const capture::Collector& collector) {
  if (collector.without_ring() != 0) return "no room in the spool directory";
  if (!collector.unsupported().empty()) return collector.unsupported();
  return "no CPython was found in the program";
}

std::string Seconds(uint64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ns) / 1e9);
  return text;
}

// What is left to do when the program has ended; trouble here is told, but the
// exit code stays the program's.
void Present(const capture::Collector& collector, const RunFlags& flags, CaptureFile* file) {
  if (!collector.profiled_any()) {
    Say("no profile: " + WhyNone(collector));
    file->Discard();
    return;
  }
  const base::Status published = file->Publish();
  if (!flags.no_report || !flags.report.json.empty() || !flags.report.html.empty()) {
    auto profile = profile::LoadProfileFile(file->readable_path());
    if (!profile.ok()) return Say(profile.error().message);
    analyze::ChargeWorkers(profile.value());
    // The background may have written more than the snapshot by now.
    if (collector.has_running()) profile.value().load.still_running = true;
    if (const auto status =
            ShowReport(profile.value(), flags.report, STDERR_FILENO, flags.no_report);
        !status.ok())
      Say(status.error().message);
  }
  // Last, where it is seen.
  if (!published.ok()) Say(published.error().message);
}

// The rest of a recording whose program has ended.
void Collect(capture::Collector& collector, format::CaptureWriter& writer,
             capture::SessionDirectory& session) {
  collector.ContinueInChild();
  while (collector.has_running()) poll(nullptr, 0, collector.Tick());
  collector.Finish();
  (void)writer.Finish({collector.now_ns()});
  session.Remove();
}

// Where nothing can be recorded, the program comes first.
int RunUnprofiled(const std::vector<std::string>& command, const std::string& why) {
  Say("the program runs unprofiled: " + why);
  auto child = Child::Start(command, PlainEnvironment());
  if (!child.ok()) return Fail(child.error().message);
  ExitLike(child->Wait([] { return -1; }).status);
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

  if (const auto status = CheckReportFlags(flags.report, !flags.memory_only, !flags.cpu_only);
      !status.ok())
    return Fail("run: " + status.error().message);

  const auto command = ResolveProgram(program, flags.python);
  if (!command.ok()) return Fail(command.error().message);
  const std::string agent = FindAgent(!flags.cpu_only);
  if (agent.empty()) return Fail("its library libpyrometer_agent is missing beside this program");
  if (const auto status = CheckReportFiles(flags.report); !status.ok())
    return Fail(status.error().message);
  auto session = capture::SessionDirectory::Create();
  auto options = ToRecordOptions(flags, session.ok() ? session->path() : "");
  if (!options.ok()) return Fail(options.error().message);
  options->profile_builtin = ProgramUsesBareProfile(program);
  auto file =
      flags.output.empty() ? CaptureFile::CreateLastRun() : CaptureFile::Create(flags.output);
  // Who names a file means that file; otherwise nothing of ours keeps a program from running.
  if (!file.ok() && !flags.output.empty()) return Fail(file.error().message);
  if (!file.ok()) return RunUnprofiled(command.value(), file.error().message);
  if (!session.ok()) {
    file->Discard();
    return RunUnprofiled(command.value(), session.error().message);
  }

  if (file->on_disk()) session->SetCapture(file->partial_path());
  const uint64_t start_ns = capture::MonotonicNs();
  format::FileSink sink(file->TakeFd());
  format::CaptureWriter writer(sink, DescribeRun(command.value(), options.value()));
  capture::Collector collector(session.value(), options.value(), start_ns, writer);
  auto child =
      Child::Start(command.value(), ProfiledEnvironment(agent, base::OptionsText(options.value())));
  if (!child.ok()) {
    file->Discard();
    return Fail(child.error().message);
  }
  // Not before it: the program keeps the limit that it was started with.
  os::AllowManyOpenFiles();
  LeaveStreams(flags.report.json == "-");
  // Who reads the report may go away; the capture and the exit code must not.
  signal(SIGPIPE, SIG_IGN);
  RunControl control(collector, session->path(), file->partial_path(), file->path(),
                     file->on_disk() ? static_cast<uint64_t>(flags.every * 1e9) : 0);
  if (!flags.toggle_signal.empty())
    child->Catch(flags.toggle_signal == "USR1" ? SIGUSR1 : SIGUSR2, [&] { control.Toggle(); });
  const ChildEnd end = child->Wait([&] {
    control.Tick();
    return collector.Tick();
  });
  const format::ProcessEnd program_end = DescribeEnd(end, collector.now_ns());
  collector.EndProcess(child->pid(), program_end);
  collector.NoteProgramCpu(program_end.user_cpu_ns + program_end.system_cpu_ns);
  if (collector.has_running()) AwaitHelpers(collector);
  if (collector.has_running() && file->on_disk()) {
    // What the program has started outlives it, and so does the recording; but
    // whoever waits for the program waits no longer than for the bare one.
    const size_t running = collector.running();
    collector.Checkpoint();
    session->SetCapture(file->path());
    if (FollowInBackground([&] { Collect(collector, writer, session.value()); })) {
      Present(collector, flags, &file.value());
      Say(std::to_string(running) + (running == 1 ? " process" : " processes") +
          " of the program still running, recorded into " + file->path());
      ExitLike(end.status);
    }
  }
  collector.Finish();
  if (const auto status = writer.Finish({collector.now_ns()}); !status.ok())
    Say(status.error().message + "; what came after " + Seconds(collector.safe_ns()) + " is lost");
  Present(collector, flags, &file.value());
  // Leaving without destructors below: the spool must go now.
  session.value().Remove();
  ExitLike(end.status);
}

}  // namespace pyrometer::cli
