// SPDX-License-Identifier: Apache-2.0
#include "cli/export_formats.h"

#include <vector>

#include "cli/viewer_page.h"
#include "export/collapsed.h"
#include "export/exchange.h"
#include "export/html.h"
#include "export/json.h"
#include "export/page_data.h"
#include "export/pprof.h"
#include "export/stacks.h"

namespace pyrometer::cli {
namespace {

base::Status Html(const ExportInput& input, std::ostream& out) {
  const auto piece = [&](const char* id, const profile::Profile& profile) {
    return export_::PagePiece{
        id, [&](std::ostream& bytes) { WritePage(profile, input.options, bytes); }};
  };
  std::vector<export_::PagePiece> pieces{piece("data", input.profile)};
  if (input.base != nullptr) pieces.push_back(piece("base", *input.base));
  if (!export_::WriteHtml(ViewerPage(), pieces, out)) return NoPlaceInViewer();
  return {};
}

base::Status Json(const ExportInput& input, std::ostream& out) {
  export_::WriteJson(analyze::BuildReport(input.profile, input.options), out);
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
  analyze::ReportOptions own = input.options;
  own.totals = false;
  const analyze::Report report = analyze::BuildReport(input.profile, own);
  export_::Exchange exchange(input.profile, report, own.scope);
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

using Takes = ExportFormat::Takes;
constexpr Takes kFlame{.functions = true, .threads = true, .metric = Takes::kAnyMetric};

constexpr ExportFormat kFormats[] = {
    {"html", "a page for any browser, in one file", ".html", {.base = true}, Html},
    {"json", "the report, for programs", nullptr, {}, Json},
    {"pprof",
     "all that was measured, for pprof and what reads its files",
     ".pb.gz",
     {},
     Whole<export_::WritePprof>},
    {"collapsed", "a line for each stack, for flame graph programs", nullptr, kFlame,
     Chosen<export_::WriteCollapsed>},
    {"stacks", "a line for each distinct stack", nullptr, {}, Stacks},
    {"page-data", "what the page shows, for programs", ".page-data", {}, PageData},
};

}  // namespace

std::span<const ExportFormat> ExportFormats() { return kFormats; }

const ExportFormat* FindExportFormat(const std::string& name) {
  for (const ExportFormat& format : kFormats)
    if (name == format.name) return &format;
  return nullptr;
}

void WritePage(const profile::Profile& profile, const analyze::ReportOptions& options,
               std::ostream& out) {
  analyze::ReportOptions own = options;
  own.totals = false;  // the page adds them up itself
  export_::WritePageData(profile, analyze::BuildReport(profile, own), options.scope, out);
}

}  // namespace pyrometer::cli
