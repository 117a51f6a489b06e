// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>

#include "analyze/build_report.h"
#include "base/result.h"
#include "export/core/exchange_options.h"
#include "profile/profile.h"

namespace pyrometer::cli {

// What `pyrometer export` works on.
struct ExportInput {
  const profile::Profile& profile;
  const profile::Profile* base = nullptr;  // that it is compared with
  analyze::ReportOptions options{};
  export_::ExchangeOptions exchange{};
};

struct ExportFormat {
  const char* name;
  const char* summary;  // a few words, for the help
  // Of the file that is written without -o; nullptr: standard output.
  const char* ending;
  // The options besides -o that it takes.
  struct Takes {
    bool base = false;
    bool functions = false;
    bool threads = false;
    // What --metric can name.
    enum Metrics : uint8_t { kNoMetric, kTime, kMemory, kAnyMetric } metric = kNoMetric;
  } takes;
  // Errors of writing show in the state of the stream.
  base::Status (*write)(const ExportInput& input, std::ostream& out);
};

// The table of formats, in the order of the help.
std::span<const ExportFormat> ExportFormats();
// nullptr: no such format.
const ExportFormat* FindExportFormat(const std::string& name);

// The report that goes into a page.
analyze::Report BuildPageReport(const profile::Profile& profile, analyze::ReportOptions options);
// docs/format/page-data.md of one profile. Of a base, `now` is what is compared with it.
void WritePage(const profile::Profile& profile, const analyze::ReportOptions& options,
               std::ostream& out, const profile::Profile* now = nullptr);

}  // namespace pyrometer::cli
