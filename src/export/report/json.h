// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "analyze/report/report.h"

namespace pyrometer::export_ {

// The report as JSON, as docs/format/report-json.md describes it. Written
// piece by piece: needs memory for one file's entry, not for the whole text.
// Errors show in the state of `out`.
void WriteJson(const analyze::Report& report, std::ostream& out);

// What a page says about the run besides its report.
struct PageFacts {
  std::string title{};
  uint64_t end_ns = 0;
  std::optional<uint32_t> main_thread{};  // index
  bool memory = false;
  bool pieces = false;              // memory was sampled by pieces
  bool partial = false;             // the report is an outline; the whole comes later
  std::vector<std::string> rest{};  // sections that come later, too
};
// The `meta` of docs/format/page-data.md: the report without what the page adds up
// itself, and `facts`.
void WritePageMeta(const analyze::Report& report, const PageFacts& facts, std::ostream& out);

}  // namespace pyrometer::export_
