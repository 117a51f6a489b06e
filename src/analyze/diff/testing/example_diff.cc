// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/testing/example_diff.h"

#include <optional>

namespace pyrometer::analyze::testing {
namespace {

using metric::Metric;

Change Judged(double base, double difference, double half, double p) {
  return {.base = base,
          .now = base + difference,
          .difference = difference,
          .low = difference - half,
          .high = difference + half,
          .base_samples = 5000,
          .new_samples = 5200,
          .judged = true,
          .accident_p = p / 10,
          .p = p,
          .significant = p < kSignificantP};
}

struct Names {
  std::string score, gone, path, source, command, interpreter;
};

Diff MakeDiff(const Names& names) {
  Diff diff;
  diff.base = {.runs = 5,
               .captures = {"base/1.pyro"},
               .command = {"python3", names.command},
               .interpreter = names.interpreter,
               .clock = "perf",
               .sample_period_ns = 1'000'000,
               .elapsed_ns = 10'400'000'000};
  diff.now = diff.base;
  diff.now.interpreter = "CPython 3.13.0";
  diff.speed = SpeedRatio{1.031, 1.012, 1.050};
  const CodeTable::Place was{names.path, names.score, 15}, is{names.path, names.score, 18};
  MetricDiff cpu{.info = metric::InfoOf(Metric::kCpu), .judged = true};
  cpu.total = Judged(10e9, 0.2e9, 0.15e9, 0.03);
  cpu.functions = {{.code = {.base = was, .now = is}, .change = Judged(5e9, 0.25e9, 0.06e9, 0.001)},
                   {.code = {.base = CodeTable::Place{names.path, names.gone, 40}},
                    .change = Judged(0.1e9, -0.1e9, 0.03e9, 0.01)},
                   {.change = Judged(0.5e9, 0.05e9, 0.09e9, 1)}};
  cpu.lines = {{.code = {.base = CodeTable::Place{names.path, names.score, 19},
                         .now = CodeTable::Place{names.path, names.score, 22},
                         .text = names.source},
                .change = Judged(4e9, 0.24e9, 0.07e9, 0.004)}};
  cpu.paths = {{.code = {.base = was, .now = is},
                .path = {"<module>", "main", names.score},
                .change = Judged(5e9, 0.25e9, 0.06e9, 0.002)}};
  cpu.detectable = 0.12e9;
  cpu.detectable_in = names.score;
  diff.metrics.push_back(std::move(cpu));
  MetricDiff memory{.info = metric::InfoOf(Metric::kLiveAtPeak), .judged = true};
  memory.total = Judged(80e6, 0.4e6, 2e6, 1);
  memory.functions = {{.code = {.base = was, .now = is}, .change = Judged(60e6, 0.3e6, 1.5e6, 1)}};
  diff.metrics.push_back(std::move(memory));
  diff.metrics.push_back({.info = metric::InfoOf(Metric::kWait),
                          .why_not = "there is hardly any",
                          .total = {.base = 1e6}});
  diff.notes = {"the base ran on " + diff.base.interpreter + ", the new runs on " +
                diff.now.interpreter};
  return diff;
}

}  // namespace

Diff ExampleDiff() {
  return MakeDiff({"score", "old_score", "app.py", "            total += value * value", "app.py",
                   "CPython 3.12.1"});
}

Diff HostileDiff() {
  const std::string hostile =
      "x\x1b[31m\r\n::error::% , | `<b>` </script> *a* [b](c) \xff\xe2\x80\xae\t";
  return MakeDiff({hostile + std::string(300, 'n'), hostile, "dir with blank/" + hostile, hostile,
                   hostile, hostile});
}

std::vector<LimitResult> ExampleLimits(const Diff& diff) {
  std::vector<Limit> limits;
  for (const char* text : {"cpu:total>1%", "memory:peak>10MB"})
    limits.push_back(ParseLimit(text, {}).value());
  Limit function = limits.front();
  function.text = "function:" + diff.metrics[0].functions[0].code.place().function + " cpu>1%";
  function.what = Limit::What::kFunction;
  function.name = diff.metrics[0].functions[0].code.place().function;
  limits.push_back(function);
  return CheckLimits(diff, limits);
}

}  // namespace pyrometer::analyze::testing
