// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "analyze/diff/change_text.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/limit.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/defaults.h"
#include "cli/diff_runs.h"
#include "cli/export_formats.h"
#include "cli/output_file.h"
#include "cli/profile_argument.h"
#include "cli/report_options.h"
#include "cli/version.h"
#include "export/diff/diff_json.h"
#include "export/diff/github_annotations.h"
#include "export/diff/sarif.h"
#include "tui/diff/print_diff.h"
#include "tui/text/report_style.h"
#include "tui/text/text.h"

namespace pyrometer::cli {
namespace {

using metric::Metric;

using analyze::LimitResult;
using Runs = std::vector<analyze::RunAmounts>;

// A limit is exceeded.
constexpr int kExceeded = 1;

struct DiffFlags {
  std::string base;
  std::string now;
  std::string format = "text";
  std::string output = "-";
  std::vector<std::string> metrics;
  bool absolute = false;
  std::vector<std::string> limits;
  size_t rows = 10;
  ProfileArgument reading;  // without its path
  bool no_config = false;
  ReportFlags report;
};

constexpr char kSideBySide[] =
    "The smallest changes show where both programs were recorded side by side: at the same\n"
    "time, on the same CPU, so that whatever slows the machine down slows down both:\n\n"
    "  mkdir base new\n"
    "  for i in 1 2 3 4 5; do\n"
    "    pyrometer run -r 2000 --no-report -o base/$i.pyro taskset -c 0 python old/app.py &\n"
    "    pyrometer run -r 2000 --no-report -o new/$i.pyro taskset -c 0 python new/app.py\n"
    "    wait\n"
    "  done\n"
    "  pyrometer diff base new\n";

void AddDiffOptions(CLI::App& app, DiffFlags* flags) {
  SetUsage(app, "pyrometer diff [options] BASE NEW");
  app.add_option("base", flags->base,
                 "What to compare with: a capture, or a folder with captures (*.pyro) of\n"
                 "several runs")
      ->type_name("BASE")
      ->required();
  app.add_option("new", flags->now, "What is compared, likewise")->type_name("NEW")->required();
  app.add_option("-f,--format", flags->format,
                 "text; markdown, for reviews; json, for programs; sarif, for code scanning;\n"
                 "github, for annotations by GitHub Actions; html, a page of one run of each")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "markdown", "json", "sarif", "github", "html"}))
      ->capture_default_str();
  app.add_option("-o,--output", flags->output, "Where to ('-': standard output)")
      ->type_name("OUT")
      ->capture_default_str();
  app.add_option("--fail-if", flags->limits,
                 "Exit with 1 if more than that has come in addition, and not by accident:\n"
                 "'cpu:total>5%', 'memory:peak>10MB', 'function:load cpu>2%',\n"
                 "'line:app.py:42 cpu>200ms'. Can be given several times")
      ->type_name("LIMIT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--metric", flags->metrics,
                 "What to compare; by default cpu, wait, live_at_peak,\nallocated and copied")
      ->type_name("METRIC")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--absolute", flags->absolute,
               "Compare CPU time as it is, not at the same speed of the machine");
  app.add_option("--rows", flags->rows, "Rows of each table")
      ->type_name("COUNT")
      ->check(CLI::Range(size_t{1}, size_t{5000}))
      ->capture_default_str();
  AddReadingOptions(app, &flags->reading);
  AddScopeOptions(app, &flags->report);
  AddScopeDefaultsOption(app, &flags->no_config);
  app.footer(kSideBySide);
}

// What is to be compared: what was asked for, and what limits are about.
base::Result<std::vector<Metric>> MetricsOf(const DiffFlags& flags,
                                            const std::vector<analyze::Limit>& limits,
                                            const metric::Table& table) {
  std::vector<Metric> metrics;
  const auto add = [&](Metric metric) {
    if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end())
      metrics.push_back(metric);
  };
  for (const std::string& name : flags.metrics) {
    const auto metric = FindMetric("--metric", name, table, metric::kRanked);
    if (!metric.ok()) return metric.error();
    add(metric.value());
  }
  if (flags.metrics.empty()) {
    for (const Metric metric : analyze::UsualMetrics()) add(metric);
    for (const metric::Info& info : table.declared()) add(info.metric);
  }
  for (const analyze::Limit& limit : limits) add(limit.metric);
  return metrics;
}

// The run that has the middle CPU time of its side, or memory where there is none.
const std::string& MiddleRun(const Runs& runs) {
  const Metric metric = runs.front().has_time ? Metric::kCpu : Metric::kLiveAtPeak;
  std::vector<const analyze::RunAmounts*> order;
  for (const analyze::RunAmounts& run : runs) order.push_back(&run);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return a->totals[metric].value < b->totals[metric].value;
  });
  return order[(order.size() - 1) / 2]->capture;
}

base::Status WritePageOf(const Runs& base, const Runs& now, const DiffFlags& flags,
                         std::ostream& out) {
  const auto base_profile = LoadAnyProfile(MiddleRun(base), flags.reading);
  if (!base_profile.ok()) return base_profile.error();
  const auto profile = LoadAnyProfile(MiddleRun(now), flags.reading);
  if (!profile.ok()) return profile.error();
  return FindExportFormat("html")->write(
      {profile.value(), &base_profile.value(), flags.report.options({}), {}}, out);
}

void Write(const analyze::Diff& diff, const std::vector<LimitResult>& limits,
           const DiffFlags& flags, std::ostream& out) {
  if (flags.format == "json") return export_::WriteDiffJson(diff, limits, out);
  if (flags.format == "sarif") return export_::WriteSarif(diff, limits, kVersion, out);
  if (flags.format == "github") return export_::WriteGithubAnnotations(diff, limits, out);
  if (flags.format == "markdown") return tui::PrintDiffMarkdown(out, diff, limits, flags.rows);
  // A file has no colours.
  tui::ReportStyle style = tui::StyleFor(STDOUT_FILENO);
  if (flags.output != "-") style.color = false;
  tui::PrintDiff(out, diff, limits, style, flags.rows);
}

// Says on stderr which limits are exceeded, and gives the exit code.
int Verdict(const analyze::Diff& diff, const std::vector<LimitResult>& limits) {
  int code = 0;
  for (const LimitResult& result : limits) {
    if (!result.exceeded) continue;
    code = kExceeded;
    std::fprintf(stderr, "pyrometer: %s\n", tui::Printable(LimitText(diff, result), false).c_str());
  }
  return code;
}

}  // namespace

int DiffCommand(const std::vector<std::string>& args) {
  CLI::App app("Compare recorded runs: what takes more, or less, by more than chance.", "diff");
  DiffFlags flags;
  AddDiffOptions(app, &flags);
  if (const auto stop = Parse(app, args)) return *stop;
  if (const auto status = FillInScopeDefaults(app, "."); !status.ok())
    return Fail(status.error().message);

  if (const auto status = OutputFile::Check(flags.output); !status.ok())
    return Fail(status.error().message);
  Runs sides[2];
  metric::Table table;
  for (const bool now : {false, true}) {
    const auto found = DiffRuns::Find(now ? flags.now : flags.base);
    if (!found.ok()) return Fail(found.error().message);
    auto runs = found.value().Sum(flags.report.scope, flags.reading, &table);
    if (!runs.ok()) return Fail(runs.error().message);
    sides[now] = std::move(runs).value();
  }
  // Now that it is known what the recordings declare.
  std::vector<analyze::Limit> limits;
  for (const std::string& text : flags.limits) {
    auto limit = analyze::ParseLimit(text, table);
    if (!limit.ok()) return Fail(limit.error().message);
    limits.push_back(std::move(limit).value());
  }
  auto metrics = MetricsOf(flags, limits, table);
  if (!metrics.ok()) return Fail(metrics.error().message);
  const analyze::Diff diff = analyze::BuildDiff(
      sides[0], sides[1],
      {.absolute = flags.absolute, .metrics = std::move(metrics).value(), .table = table});
  if (diff.metrics.empty()) return Fail("the two sides have recorded nothing in common");
  const std::vector<LimitResult> results = analyze::CheckLimits(diff, limits);
  OutputFile file(flags.output);
  if (flags.format == "html") {
    if (const auto status = WritePageOf(sides[0], sides[1], flags, file.stream()); !status.ok())
      return Fail(status.error().message);
  } else {
    Write(diff, results, flags, file.stream());
  }
  if (const auto status = file.Publish(); !status.ok()) return Fail(status.error().message);
  return Verdict(diff, results);
}

}  // namespace pyrometer::cli
