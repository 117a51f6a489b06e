// SPDX-License-Identifier: Apache-2.0
#include "cli/run_options.h"

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/defaults.h"

namespace pyrometer::cli {

void AddRunOptions(CLI::App& app, RunFlags* flags) {
  SetUsage(app, "pyrometer run [options] script.py|-m module|-c code|command [arguments]");
  app.add_option("-o,--output", flags->output,
                 "Keep the recording in FILE, for 'pyrometer report FILE'")
      ->type_name("FILE");
  app.add_option("-r,--rate", flags->rate,
                 "Samples for each second of CPU time of a thread; by default 250 in its first\n"
                 "second and 125 from then on")
      ->type_name("HZ")
      ->check(CLI::Range(1u, base::RecordOptions::kMaxRate));
  app.add_option("--clock", flags->clock,
                 "What makes the samples: timer (cheap, up to the kernel's tick rate), perf (any "
                 "rate, dearer), auto")
      ->type_name("CLOCK")
      ->check(CLI::IsMember({"auto", "timer", "perf"}))
      ->capture_default_str();
  app.add_option("-d,--duration", flags->duration,
                 "Stop recording after this time; the program goes on")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  app.add_flag("--no-children", flags->no_children, "Leave out processes that the program starts");
  app.add_flag("--off", flags->off,
               "Start with recording switched off, until 'pyrometer control' or the program\n"
               "itself (pyrometer.start()) switches it on");
  app.add_option("--signal", flags->toggle_signal,
                 "A signal to pyrometer, USR1 or USR2, that switches recording on and off")
      ->type_name("NAME")
      ->check(CLI::IsMember({"USR1", "USR2"}));
  app.add_option("--every", flags->every,
                 "Write what was recorded so far to the output file again and again")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  auto* cpu_only = app.add_flag("--cpu-only", flags->cpu_only, "Record time only, no memory");
  app.add_flag("--memory-only", flags->memory_only, "Record memory only, no time")
      ->excludes(cpu_only);
  app.add_option("--mem-interval", flags->mem_interval,
                 "Mean number of allocated bytes between two that are sampled; by default as few\n"
                 "as are cheap, from 65536 up")
      ->type_name("BYTES")
      ->check(CLI::Range(uint32_t{1024}, uint32_t{256} << 20));
  app.add_flag("--no-native", flags->no_native, "Leave out the native part of stacks");
  app.add_option("--python", flags->python, "The Python that runs the script")->type_name("PYTHON");
  app.add_flag("--no-report", flags->no_report, "Record only; print no report");
  AddReportOptions(app, &flags->report);
  AddDefaultsOption(app, &flags->no_config);
}

std::vector<std::string> RunOptionNames() {
  CLI::App app;
  RunFlags flags;
  AddRunOptions(app, &flags);
  return DefaultableNames(app);
}

}  // namespace pyrometer::cli
