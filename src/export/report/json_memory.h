// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "analyze/report/report.h"

// The parts of the JSON report that are about memory: docs/format/report-json.md.
namespace pyrometer::export_ {

// The memory of a line, a function or a file; null where none was recorded.
nlohmann::ordered_json MemoryPartsJson(const analyze::MemoryRow& row, const analyze::View& view);
// Of a thread.
nlohmann::ordered_json MemoryStatsJson(const analyze::MemoryStats& stats,
                                       const analyze::View& view);
// Of the view itself.
nlohmann::ordered_json ViewMemoryJson(const analyze::View& view);
nlohmann::ordered_json LeakJson(const analyze::LeakStats& leak);

}  // namespace pyrometer::export_
