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
#include "cli/output_file.h"
#include "cli/viewer_page.h"
#include "export/html.h"
#include "export/json.h"
#include "export/page_data.h"
#include "tui/print_report.h"

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

void WriteAll(int fd, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // a pager that was closed
    done += static_cast<size_t>(n);
  }
}

}  // namespace

void AddScopeOptions(CLI::App& app, ReportFlags* flags) {
  app.add_option("--only", flags->scope.only, "Only files that match: part of the path, or a glob")
      ->type_name("PATTERN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--exclude", flags->scope.exclude, "Leave out files that match")
      ->type_name("PATTERN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--all", flags->scope.all, "Show library and standard-library code as well");
}

void AddReportOptions(CLI::App& app, ReportFlags* flags) {
  app.add_flag("--reduced", flags->reduced, "Only lines with at least 1 % of the time");
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

base::Status ShowReport(const profile::Profile& profile, const ReportFlags& flags, int fd,
                        bool quiet) {
  const analyze::Report report = analyze::BuildReport(profile, flags.options());
  if (!quiet) {
    tui::ReportStyle style = tui::StyleFor(fd);
    style.reduced = flags.reduced;
    std::ostringstream text;
    tui::PrintReport(text, report, style);
    WriteAll(fd, text.str());
  }
  const base::Status json = flags.json.empty() ? base::Status() : WriteJsonFile(report, flags.json);
  const base::Status html =
      flags.html.empty() ? base::Status() : WriteHtmlFile(profile, report, flags);
  return json.ok() ? html : json;
}

}  // namespace pyrometer::cli
