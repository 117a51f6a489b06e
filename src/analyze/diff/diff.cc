// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/diff.h"

#include <algorithm>

#include "analyze/diff/change_judge.h"
#include "analyze/diff/diff_rows.h"
#include "analyze/diff/run_speeds.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

constexpr Metric kUsual[] = {Metric::kCpu, Metric::kWait, Metric::kLiveAtPeak, Metric::kAllocated,
                             Metric::kCopied};

DiffSide Describe(std::span<const RunAmounts> runs) {
  const RunAmounts& first = runs.front();
  DiffSide side{.runs = runs.size(),
                .command = first.command,
                .interpreter = first.interpreter,
                .clock = first.clock,
                .sample_period_ns = first.sample_period_ns};
  for (const RunAmounts& run : runs) {
    side.captures.push_back(run.capture);
    side.elapsed_ns += run.elapsed_ns / runs.size();
  }
  return side;
}

bool AllHave(std::span<const RunAmounts> runs, Metric metric) {
  return std::all_of(runs.begin(), runs.end(),
                     [&](const RunAmounts& run) { return run.Has(metric); });
}

void NoteDifferences(std::span<const RunAmounts> base, std::span<const RunAmounts> now,
                     Diff& diff) {
  const auto note = [&](std::string text) { diff.notes.push_back(std::move(text)); };
  for (const auto& [metric, what] :
       {std::pair(Metric::kCpu, "time"), {Metric::kLiveAtPeak, "memory"}}) {
    const bool in_base = AllHave(base, metric), in_new = AllHave(now, metric);
    if (in_base != in_new)
      note(std::string(what) + " was recorded by " + (in_base ? "the base" : "the new runs") +
           " only, and is not compared");
  }
  for (const auto& [runs, name] : {std::pair(base, "base"), {now, "new"}}) {
    const auto incomplete = std::count_if(runs.begin(), runs.end(),
                                          [](const RunAmounts& run) { return !run.complete; });
    if (incomplete != 0)
      note(std::to_string(incomplete) + " of the " + name + " runs did not end in an orderly way");
    for (const RunAmounts& run : runs)
      if (run.sample_period_ns != runs.front().sample_period_ns ||
          run.interpreter != runs.front().interpreter) {
        note(std::string("the ") + name + " runs differ in interpreter or rate of sampling");
        break;
      }
  }
  const DiffSide &a = diff.base, &b = diff.now;
  if (a.interpreter != b.interpreter)
    note("the base ran on " + a.interpreter + ", the new runs on " + b.interpreter);
  if (a.sample_period_ns != b.sample_period_ns || a.clock != b.clock)
    note(
        "the sides were sampled at different rates or by different clocks: what sampling itself "
        "costs differs");
}

}  // namespace

std::span<const Metric> UsualMetrics() { return kUsual; }

const MetricDiff* Diff::Find(Metric metric) const {
  for (const MetricDiff& diff : metrics)
    if (diff.info.metric == metric) return &diff;
  return nullptr;
}

Diff BuildDiff(std::span<const RunAmounts> base, std::span<const RunAmounts> now,
               const DiffOptions& options) {
  Diff diff{.base = Describe(base), .now = Describe(now), .table = options.table};
  NoteDifferences(base, now, diff);
  const DiffRows rows(base, now);
  std::vector<Metric> metrics;
  size_t judged = 0;
  for (const Metric metric : options.metrics) {
    if (!AllHave(base, metric) || !AllHave(now, metric)) continue;
    metrics.push_back(metric);
    judged += WhyNotJudged(metric, rows).empty() ? 1 : 0;
  }
  RunSpeeds speeds(rows, kCpuNoise);
  const bool has_cpu = AllHave(base, Metric::kCpu) && AllHave(now, Metric::kCpu);
  diff.paired = rows.paired() && has_cpu;
  const bool with_speed = !options.absolute && !diff.paired && has_cpu;
  if (with_speed) {
    ChangeJudge(rows, Metric::kCpu, &speeds, judged).LeaveChanged();
    diff.speed = speeds.Ratio();
  }
  for (const Metric metric : metrics) {
    diff.metrics.push_back(
        ChangeJudge(rows, metric, with_speed ? &speeds : nullptr, judged).Judge());
    diff.metrics.back().info = options.table[metric];
  }
  return diff;
}

}  // namespace pyrometer::analyze
