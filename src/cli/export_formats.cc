// SPDX-License-Identifier: Apache-2.0
#include "cli/export_formats.h"

#include <vector>

#include "cli/viewer_page.h"
#include "export/html.h"
#include "export/json.h"
#include "export/page_data.h"
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

constexpr ExportFormat kFormats[] = {
    {"html", "a page for any browser, in one file", ".html", true, Html},
    {"json", "the report, for programs", nullptr, false, Json},
    {"stacks", "a line for each distinct stack", nullptr, false, Stacks},
    {"page-data", "what the page shows, for programs", ".page-data", false, PageData},
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
