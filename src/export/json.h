// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "analyze/report.h"

namespace pyrometer::export_ {

// The report as JSON, as docs/format/report-json.md describes it. Written
// piece by piece: needs memory for one file's entry, not for the whole text.
// Errors show in the state of `out`.
void WriteJson(const analyze::Report& report, std::ostream& out);

}  // namespace pyrometer::export_
