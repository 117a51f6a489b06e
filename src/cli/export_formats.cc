// SPDX-License-Identifier: Apache-2.0
#include "cli/export_formats.h"

#include <vector>

#include "analyze/report/outline.h"
#include "cli/viewer_page.h"
#include "export/callgrind/callgrind.h"
#include "export/chrome/chrome_trace.h"
#include "export/collapsed/collapsed.h"
#include "export/core/exchange.h"
#include "export/csv/csv.h"
#include "export/dot/dot.h"
#include "export/firefox/firefox_profile.h"
#include "export/flame/flame_svg.h"
#include "export/otlp/otlp.h"
#include "export/page/html.h"
#include "export/page/page_data.h"
#include "export/perfetto/perfetto_trace.h"
#include "export/pprof/pprof.h"
#include "export/pstats/pstats.h"
#include "export/report/json.h"
#include "export/report/stacks.h"
#include "export/speedscope/speedscope.h"
#include "export/v8/cpuprofile.h"
#include "export/v8/heapprofile.h"
#include "tui/print_markdown.h"

namespace pyrometer::cli {
namespace {

base::Status Html(const ExportInput& input, std::ostream& out) {
  std::vector<export_::PagePiece> pieces{
      {"data", [&](std::ostream& bytes) { WritePage(input.profile, input.options, bytes); }}};
  if (input.base != nullptr)
    pieces.push_back({"base", [&](std::ostream& bytes) {
                        WritePage(*input.base, input.options, bytes, &input.profile);
                      }});
  if (!export_::WriteHtml(ViewerPage(), pieces, out)) return NoPlaceInViewer();
  return {};
}

base::Status Json(const ExportInput& input, std::ostream& out) {
  export_::WriteJson(analyze::BuildReport(input.profile, input.options), out);
  return {};
}

base::Status Markdown(const ExportInput& input, std::ostream& out) {
  const tui::Listing listing;
  analyze::ReportOptions options = input.options;
  options.tree_threshold_percent = listing.threshold_percent;
  tui::PrintMarkdown(out, analyze::BuildReport(input.profile, options), listing);
  return {};
}

base::Status Stacks(const ExportInput& input, std::ostream& out) {
  export_::WriteStacks(input.profile, out);
  return {};
}

base::Status PageData(const ExportInput& input, std::ostream& out) {
  WritePage(input.profile, input.options, out);
  return {};
}

// Formats of other programs are made of the same tables.
template <class Write>
base::Status Exchanged(const ExportInput& input, Write write) {
  const analyze::Report outline = analyze::BuildOutline(input.profile);
  export_::Exchange exchange(input.profile, outline, input.options.scope);
  write(exchange);
  return {};
}
template <auto Write>
base::Status Whole(const ExportInput& input, std::ostream& out) {
  return Exchanged(input, [&](export_::Exchange& from) { Write(from, out); });
}
template <auto Write>
base::Status Chosen(const ExportInput& input, std::ostream& out) {
  return Exchanged(input, [&](export_::Exchange& from) { Write(from, input.exchange, out); });
}

// Formats that are about one of the two.
template <auto Write>
base::Status OfTime(const ExportInput& input, std::ostream& out) {
  if (input.profile.samples.size() == 0)
    return base::Error{"no time was recorded, and the format is about nothing else"};
  return Chosen<Write>(input, out);
}
template <auto Write>
base::Status OfMemory(const ExportInput& input, std::ostream& out) {
  if (input.profile.memory_changes.empty())
    return base::Error{"no memory was recorded, and the format is about nothing else"};
  return Chosen<Write>(input, out);
}

using Takes = ExportFormat::Takes;
constexpr Takes kFlame{.functions = true, .threads = true, .metric = Takes::kAnyMetric};

// clang-format off: a row each.
constexpr ExportFormat kFormats[] = {
    {"html", "a page for any browser, in one file", ".html", {.base = true}, Html},
    {"json", "the report, for programs", nullptr, {}, Json},
    {"markdown", "the report, for issues and reviews", nullptr, {}, Markdown},
    {"pprof", "all that was measured, for pprof and what reads its files", ".pb.gz", {},
     Whole<export_::WritePprof>},
    {"collapsed", "a line for each stack, for flame graph programs", nullptr, kFlame,
     Chosen<export_::WriteCollapsed>},
    {"speedscope", "flame graphs by metric and thread, for speedscope", ".speedscope.json",
     {.functions = true, .metric = Takes::kAnyMetric}, Chosen<export_::WriteSpeedscope>},
    {"callgrind", "all by line and call, for KCachegrind", ".callgrind", {},
     Whole<export_::WriteCallgrind>},
    {"pstats", "one metric of time, for Python's pstats and snakeviz", ".pstats",
     {.metric = Takes::kTime}, OfTime<export_::WritePstats>},
    {"dot", "the call graph, for Graphviz", nullptr, {.metric = Takes::kAnyMetric},
     Chosen<export_::WriteDot>},
    {"cpuprofile", "one metric of time, for editors and browsers", ".cpuprofile",
     {.metric = Takes::kTime}, OfTime<export_::WriteCpuProfile>},
    {"heapprofile", "one metric of memory, for editors and browsers", ".heapprofile",
     {.threads = true, .metric = Takes::kMemory}, OfMemory<export_::WriteHeapProfile>},
    {"svg", "a flame graph as an image", ".svg", kFlame, Chosen<export_::WriteFlameSvg>},
    {"csv", "a table of lines or functions", nullptr, {.functions = true},
     Chosen<export_::WriteCsv>},
    {"chrome", "calls over time, for chrome://tracing and Perfetto", ".trace.json", {},
     Whole<export_::WriteChromeTrace>},
    {"firefox", "samples, markers and memory, for the Firefox Profiler", ".firefox.json", {},
     Whole<export_::WriteFirefoxProfile>},
    {"otlp", "profiles of OpenTelemetry, in protobuf", ".otlp.pb", {}, Whole<export_::WriteOtlp>},
    {"perfetto", "samples and memory over time, for Perfetto", ".pftrace", {},
     Whole<export_::WritePerfettoTrace>},
    {"stacks", "a line for each distinct stack", nullptr, {}, Stacks},
    {"page-data", "what the page shows, for programs", ".page-data", {}, PageData},
};
// clang-format on

}  // namespace

std::span<const ExportFormat> ExportFormats() { return kFormats; }

const ExportFormat* FindExportFormat(const std::string& name) {
  for (const ExportFormat& format : kFormats)
    if (name == format.name) return &format;
  return nullptr;
}

analyze::Report BuildPageReport(const profile::Profile& profile, analyze::ReportOptions options) {
  // The page adds them up itself.
  options.totals = false;
  options.process_rows = false;
  return analyze::BuildReport(profile, options);
}

void WritePage(const profile::Profile& profile, const analyze::ReportOptions& options,
               std::ostream& out, const profile::Profile* now) {
  export_::WritePageData(profile, BuildPageReport(profile, options), options.scope, out, now);
}

}  // namespace pyrometer::cli
