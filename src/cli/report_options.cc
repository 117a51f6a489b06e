// SPDX-License-Identifier: Apache-2.0
#include "cli/report_options.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "analyze/build_report.h"
#include "base/record_options.h"
#include "cli/arguments.h"
#include "cli/output_file.h"
#include "cli/viewer_page.h"
#include "export/page/html.h"
#include "export/page/page_data.h"
#include "export/report/json.h"
#include "export/report/stacks.h"
#include "tui/print_markdown.h"
#include "tui/print_report.h"
#include "tui/print_summary.h"

namespace pyrometer::cli {
namespace {

base::Status WriteJsonFile(const analyze::Report& report, const std::string& path) {
  if (path == "-") {
    export_::WriteJson(report, std::cout);
    std::cout.flush();
    if (!std::cout) return base::Error{"cannot write JSON to standard output"};
    return {};
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (file) export_::WriteJson(report, file);
  file.close();
  if (!file) return base::Error{"cannot write " + path + ": " + std::strerror(errno)};
  return {};
}

base::Status CheckHtmlFile(const std::string& path) {
  if (path == "-") return base::Error{"--html: needs the name of a file"};
  return OutputFile::Check(path);
}

base::Status WriteHtmlFile(const profile::Profile& profile, const analyze::Report& report,
                           const ReportFlags& flags) {
  // Once more: the capture of this very run may have got that name.
  if (const auto status = CheckHtmlFile(flags.html); !status.ok()) return status;
  OutputFile file(flags.html);
  const export_::PagePiece data{"data", [&](std::ostream& out) {
                                  export_::WritePageData(profile, report, flags.scope, out);
                                }};
  if (!export_::WriteHtml(ViewerPage(), {&data, 1}, file.stream())) return NoPlaceInViewer();
  return file.Publish();
}

base::Status WriteAll(int fd, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EPIPE)
      return base::Error{"cannot write the report: " + std::string(std::strerror(errno))};
    if (n <= 0) return {};  // a pager that was closed
    done += static_cast<size_t>(n);
  }
  return {};
}

std::string SortHelp() {
  std::string text = "What to rank by, by default time, or live_at_peak where no time was recorded";
  for (const metric::Info& info : metric::Listed(metric::kRanked))
    text += "\n  " + std::string(info.name) + ": " + std::string(info.meaning);
  return text;
}

void AddPatterns(CLI::App& app, const char* name, std::vector<std::string>* patterns,
                 const char* help) {
  app.add_option(name, *patterns, help)
      ->type_name("PATTERN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Print(std::ostream& out, const analyze::Report& report, const ReportFlags& flags, int fd) {
  const tui::Listing listing = flags.ToListing(report.metrics);
  if (flags.format == "markdown") return tui::PrintMarkdown(out, report, listing);
  if (flags.format == "summary") return tui::PrintSummary(out, report, listing);
  tui::PrintReport(out, report, tui::StyleFor(fd), listing);
}

}  // namespace

analyze::ReportOptions ReportFlags::options(const metric::Table& metrics) const {
  analyze::ReportOptions options{.scope = scope, .all_functions = all_functions};
  options.metric = metrics.Find(sort, metric::kRanked);
  return options;
}

tui::Listing ReportFlags::ToListing(const metric::Table& metrics) const {
  using Shape = tui::Listing::Shape;
  tui::Listing listing;
  listing.shape = tree ? Shape::kTree : flat ? Shape::kFlat : Shape::kFiles;
  listing.sort = metrics.Find(sort, metric::kRanked);
  if (lines != 0) listing.max_lines = lines;
  listing.threshold_percent = threshold;
  listing.files = files;
  listing.functions = functions;
  listing.reduced = reduced;
  return listing;
}

void AddScopeOptions(CLI::App& app, ReportFlags* flags) {
  AddPatterns(app, "--only", &flags->scope.only,
              "Your code is files that match, and no others: time elsewhere counts for\n"
              "the lines of them that called it");
  AddPatterns(app, "--exclude", &flags->scope.exclude, "Files that match are not your code");
  app.add_flag("--all", flags->scope.all, "Show library and standard-library code as well");
}

void AddReportOptions(CLI::App& app, ReportFlags* flags) {
  app.add_option("--format", flags->format,
                 "text; markdown, for issues and reviews; summary, short and plain, for\n"
                 "language models; stacks: a line for each distinct stack")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "markdown", "summary", "stacks"}))
      ->capture_default_str();
  app.add_flag("--tree", flags->tree, "Who calls whom, instead of tables of lines");
  app.add_flag("--flat", flags->flat, "The lines of all files in one ranking");
  app.add_option("--sort", flags->sort, SortHelp())->type_name("METRIC");
  app.add_option("--lines", flags->lines, "How many lines to list, however little they have")
      ->type_name("COUNT")
      ->check(CLI::Range(size_t{1}, size_t{100'000}));
  app.add_option("--threshold", flags->threshold, "List what has at least so much of the whole")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  AddPatterns(app, "--file", &flags->files,
              "List only lines of files that match: part of the path, or a glob.\n"
              "Totals stay those of the whole program");
  AddPatterns(app, "--function", &flags->functions,
              "List only lines of functions that match: part of the name, or a glob");
  app.add_flag("--reduced", flags->reduced, "Only the lines that matter, not those around them");
  AddScopeOptions(app, flags);
  app.add_flag("--all-functions", flags->all_functions,
               "Show the lines of all functions, not only of those with @profile");
  app.add_option("--json", flags->json, "Write the report as JSON to FILE ('-': standard output)")
      ->type_name("FILE");
  app.add_option("--html", flags->html, "Write a page for any browser to FILE")->type_name("FILE");
}

base::Status CheckReportFiles(const ReportFlags& flags) {
  if (!flags.json.empty() && flags.json != "-") {
    if (std::FILE* probe = std::fopen(flags.json.c_str(), "a"); probe != nullptr)
      std::fclose(probe);
    else
      return base::Error{"cannot write " + flags.json + ": " + std::strerror(errno)};
  }
  return flags.html.empty() ? base::Status() : CheckHtmlFile(flags.html);
}

base::Status CheckReportFlags(const ReportFlags& flags, const metric::Table& metrics, bool has_time,
                              bool has_memory) {
  if (flags.tree && flags.flat)
    return base::Error{"--tree and --flat are two shapes of the report: choose one"};
  if (flags.format != "text" && (flags.tree || flags.flat))
    return base::Error{std::string(flags.tree ? "--tree" : "--flat") +
                       " is a shape of --format text, not of " + flags.format};
  if (flags.format == "stacks" && (!flags.files.empty() || !flags.functions.empty()))
    return base::Error{"--format stacks lists all stacks: leave out --file and --function"};
  if (!flags.sort.empty()) {
    const auto metric = FindMetric("--sort", flags.sort, metrics, metric::kRanked);
    if (!metric.ok()) return metric.error();
    const bool memory = metric::IsMemory(metric.value());
    if (!metric::IsDeclared(metric.value()) && !(memory ? has_memory : has_time))
      return base::Error{"--sort " + flags.sort + ": no " + (memory ? "memory" : "time") +
                         " is recorded"};
  }
  return {};
}

base::Status ShowReport(const profile::Profile& profile, const ReportFlags& flags, int fd,
                        bool quiet) {
  base::RecordOptions recorded;
  (void)base::ParseOptions(profile.run.options, &recorded);
  if (const auto status = CheckReportFlags(flags, profile.metrics, recorded.cpu, recorded.memory);
      !status.ok())
    return status;
  base::Status shown;
  if (!quiet && flags.format == "stacks") {
    std::ostringstream text;
    export_::WriteStacks(profile, text);
    shown = WriteAll(fd, text.str());
    if (flags.json.empty() && flags.html.empty()) return shown;
    quiet = true;
  }
  analyze::ReportOptions options = flags.options(profile.metrics);
  // What is printed has a line for each process at most; JSON and the page have all of it.
  options.process_rows = !flags.json.empty() || !flags.html.empty();
  if (flags.tree || flags.format == "markdown") options.tree_threshold_percent = flags.threshold;
  if (flags.format == "summary")
    options.lines_with_callers = tui::SummaryLines(flags.ToListing(profile.metrics));
  const analyze::Report report = analyze::BuildReport(profile, options);
  if (!quiet) {
    std::ostringstream text;
    Print(text, report, flags, fd);
    shown = WriteAll(fd, text.str());
  }
  const base::Status json = flags.json.empty() ? base::Status() : WriteJsonFile(report, flags.json);
  const base::Status html =
      flags.html.empty() ? base::Status() : WriteHtmlFile(profile, report, flags);
  return !json.ok() ? json : !html.ok() ? html : shown;
}

}  // namespace pyrometer::cli
