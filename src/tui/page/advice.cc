// SPDX-License-Identifier: Apache-2.0
#include "tui/page/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "tui/text/number.h"

namespace pyrometer::tui {
namespace {

using analyze::Verdict;
using Kind = Verdict::Kind;

constexpr uint64_t kFewSamples = 50;
constexpr double kMuchGcPercent = 5, kMuchImportPercent = 20;

std::string StepFor(const Verdict& verdict) {
  switch (verdict.kind) {
    case Kind::kNoSamples:
      return "nothing was recorded: run it longer, or with more work";
    case Kind::kDeclared:
      return "see in 'pyrometer report --tree' from where the first lines are reached";
    case Kind::kCpu:
      switch (verdict.metric.value_or(metric::Metric::kCpu)) {
        case metric::Metric::kPython:
          return "the interpreter itself is the cost: see in 'pyrometer report --tree' how often "
                 "and from where the hottest lines are reached";
        case metric::Metric::kNative:
          return "native code is the cost: 'pyrometer report --tree --all' names its functions";
        default:
          return "system calls are the cost: fewer and larger ones";
      }
    case Kind::kWait:
      if (verdict.workers_ns != 0)
        return "the main thread waits for its workers: what they do is the cost";
      if (verdict.metric == metric::Metric::kRunQueue)
        return "the machine was busy with other programs: measure again when it is idle";
      return "the main thread waits: see the longest waits above; can they overlap with work?";
    case Kind::kGarbageCollection:
      return "garbage collection is the cost: 'pyrometer report --flat --sort gc' shows where it "
             "is set off; gc.freeze() once what lives long is made, a higher gc.set_threshold(), "
             "or gc.disable() where nothing refers to itself";
    case Kind::kGilContention:
      return "threads wait for the GIL: the table GIL of 'pyrometer report' says who holds it";
    case Kind::kMemoryPeak:
      return "'pyrometer report --tree --sort live_at_peak' shows who asked for what was live";
    case Kind::kMemoryGrowth:
      return "memory grows at the lines above: what still refers to these objects?";
    case Kind::kCopies:
      return "much is copied: does each copy have to be one?";
  }
  return "";
}

double PercentOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<std::string> NextSteps(const analyze::Report& report) {
  std::vector<std::string> steps;
  const analyze::View& view = report.merged;
  for (const Verdict& verdict : report.verdicts) steps.push_back(StepFor(verdict));
  const double gc = view.CpuPercent(view.total.gc_ns());
  const bool told =
      std::any_of(report.verdicts.begin(), report.verdicts.end(),
                  [](const Verdict& verdict) { return verdict.kind == Kind::kGarbageCollection; });
  if (gc >= kMuchGcPercent && !told)
    steps.push_back(
        fmt::format("garbage collection takes {} % of the CPU time: 'pyrometer report "
                    "--flat --sort gc' shows where it is set off",
                    Percent(gc)));
  const double imports = PercentOf(view.total.import_ns(), view.total.time_ns());
  if (imports >= kMuchImportPercent)
    steps.push_back(
        fmt::format("imports take {} % of the time: the table Imports of 'pyrometer "
                    "report' lists them",
                    Percent(imports)));
  if (!report.loop_blocks.empty())
    steps.push_back(
        "callbacks hold the event loop up: the table 'Event loop held up' of "
        "'pyrometer report' lists them");
  if (view.total.samples() != 0 && view.total.samples() < kFewSamples)
    steps.push_back("there are few samples: run it longer before trusting percentages");
  return steps;
}

}  // namespace pyrometer::tui
