// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/recording.h"

#include <poll.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

#include <filesystem>
#include <utility>

#include "base/clock.h"
#include "base/record_options_text.h"
#include "cli/recording/background.h"
#include "cli/recording/environment.h"
#include "cli/recording/last_helpers.h"
#include "cli/version.h"
#include "os/open_files.h"

namespace pyrometer::cli {
namespace {

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

}  // namespace

base::Result<std::unique_ptr<Recording>> Recording::Create(const RecordingOrder& order,
                                                           CaptureFile* file) {
  auto session = capture::SessionDirectory::Create();
  if (!session.ok()) return session.error();
  RecordingOrder with_session = order;
  if (!base::SetOption(&with_session.options, "session", session->path()))
    return base::Error{"the path of the spool directory is too long"};
  if (file->on_disk()) session->SetCapture(file->partial_path());
  return std::unique_ptr<Recording>(new Recording(with_session, file, std::move(session.value())));
}

Recording::Recording(const RecordingOrder& order, CaptureFile* file,
                     capture::SessionDirectory session)
    : order_(order),
      file_(file),
      session_(std::move(session)),
      sink_(file->TakeFd()),
      writer_(sink_, DescribeRun(order_.command, order_.options)),
      collector_(session_, order_.options, capture::MonotonicNs(), writer_) {}

base::Status Recording::StartProgram() {
  auto child = Child::Start(order_.command,
                            ProfiledEnvironment(order_.agent, base::OptionsText(order_.options)));
  if (!child.ok()) return child.error();
  child_.emplace(std::move(child.value()));
  // Not before it: the program keeps the limit that it was started with.
  os::AllowManyOpenFiles();
  return {};
}

RecordingEnd Recording::AwaitProgram() {
  RunControl control(collector_, session_.path(), file_->partial_path(), file_->path(),
                     file_->on_disk() ? order_.every_ns : 0);
  if (order_.toggle_signal != 0) child_->Catch(order_.toggle_signal, [&] { control.Toggle(); });
  RecordingEnd end;
  end.program = child_->Wait([&] {
    control.Tick();
    return collector_.Tick();
  });
  const format::ProcessEnd program_end = DescribeEnd(end.program, collector_.now_ns());
  collector_.EndProcess(child_->pid(), program_end);
  collector_.NoteProgramCpu(program_end.user_cpu_ns + program_end.system_cpu_ns);
  if (collector_.has_running()) AwaitHelpers(collector_);
  const size_t running = collector_.running();
  if (collector_.has_running() && file_->on_disk() && FollowOthers()) {
    end.followed = running;
  } else {
    collector_.Finish();
    end.written = writer_.Finish({collector_.now_ns()});
    session_.Remove();
  }
  end.safe_ns = collector_.safe_ns();
  end.has_running = collector_.has_running();
  if (!collector_.profiled_any()) end.why_none = WhyNone();
  return end;
}

// What the program has started outlives it, and so does the recording; but
// whoever waits for the program waits no longer than for the bare one.
bool Recording::FollowOthers() {
  collector_.Checkpoint();
  session_.SetCapture(file_->path());
  return FollowInBackground([this] {
    collector_.ContinueInChild();
    while (collector_.has_running()) poll(nullptr, 0, collector_.Tick());
    collector_.Finish();
    (void)writer_.Finish({collector_.now_ns()});
    session_.Remove();
  });
}

std::string Recording::WhyNone() const {
  if (collector_.without_ring() != 0) return "no room in the spool directory";
  if (!collector_.unsupported().empty()) return collector_.unsupported();
  return "no CPython was found in the program";
}

}  // namespace pyrometer::cli
