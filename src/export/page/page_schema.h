// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "export/tables/resolved_frames.h"
#include "format/records.h"
#include "metric/metric.h"

// The one list of the columns in a page's data; docs/format/page-data.md says what they mean.
// page_data.cc cannot name a column that is not in it, and viewer/src/data/schema.ts is made of
// it (see page_schema_test.cc).
namespace pyrometer::export_ {

// What a reader may believe of each value.
enum class ColumnType : uint8_t {
  kIndex,         // into another table
  kIndexPlusOne,  // 0: none
  kByte,          // at most `largest`
  kWhole,         // fits 32 bits
  kNumber,        // fits a double
};

struct PageColumn {
  std::string_view name;  // "table.column"
  ColumnType type;
  std::string_view into = "";  // of an index: the table
  uint64_t largest = 0;        // of a byte

  constexpr std::string_view table() const { return name.substr(0, name.find('.')); }
  constexpr std::string_view column() const { return name.substr(name.find('.') + 1); }
};

constexpr uint64_t kLargestActivity = format::kActivityCount - 1;
constexpr uint64_t kLargestMemoryKind = format::kMemoryKindCount - 1;
constexpr uint64_t kLargestDeclared = metric::kMaxDeclared - 1;

// Table by table.
inline constexpr auto kPageColumns = [] {
  using enum ColumnType;
  return std::to_array<PageColumn>({
      {"file.path", kIndex, "string"},
      {"file.kind", kByte, "", static_cast<uint64_t>(ResolvedFrames::FileKind::kSpecial)},
      {"file.source", kIndex, "string"},
      {"function.file", kIndex, "file"},
      {"function.name", kIndex, "string"},
      {"function.line", kWhole},
      {"function.match", kWhole},  // index+1 in the data that are compared with a base
      {"frame.function", kIndex, "function"},
      {"frame.line", kWhole},
      {"frame.native_file", kIndex, "string"},
      {"frame.native_line", kWhole},
      {"frame.match", kWhole},  // as of functions
      {"stack.parent", kIndex, "stack"},
      {"stack.frame", kWhole},  // an index, but for number 0, which has none
      {"stack.flags", kByte, "", 255},
      {"process.pid", kNumber},
      {"process.parent", kIndexPlusOne, "process"},
      {"process.start", kNumber},
      {"process.end", kNumber},
      {"process.name", kIndex, "string"},
      {"process.rank", kWhole},
      {"thread.process", kIndex, "process"},
      {"thread.tid", kNumber},
      {"thread.name", kIndex, "string"},
      {"thread.start", kNumber},
      {"thread.end", kNumber},
      {"thread.main", kByte, "", 1},
      {"task.process", kIndex, "process"},
      {"task.name", kIndex, "string"},
      {"task.function", kIndex, "function"},
      {"task.origin", kIndex, "stack"},
      {"task.start", kNumber},
      {"task.end", kNumber},
      {"sample.time", kNumber},
      {"sample.thread", kIndex, "thread"},
      {"sample.stack", kIndex, "stack"},
      {"sample.activity", kByte, "", kLargestActivity},
      {"sample.weight", kNumber},
      {"sample.count", kWhole},
      {"sample.task", kIndexPlusOne, "task"},
      {"sum.thread", kIndex, "thread"},
      {"sum.stack", kIndex, "stack"},
      {"sum.activity", kByte, "", kLargestActivity},
      {"sum.weight", kNumber},
      {"sum.count", kWhole},
      {"await.time", kNumber},
      {"await.task", kIndex, "task"},
      {"await.stack", kIndex, "stack"},
      {"await.ready", kByte, "", 1},
      {"await.weight", kNumber},
      {"await.count", kWhole},
      {"change.time", kNumber},
      {"change.thread", kIndex, "thread"},
      {"change.stack", kIndex, "stack"},
      {"change.kind", kByte, "", kLargestMemoryKind},
      {"change.bytes", kNumber},
      {"change.blocks", kNumber},
      {"change.samples", kNumber},
      {"change.variance", kNumber},
      {"change.freed", kNumber},
      {"peak.thread", kIndex, "thread"},
      {"peak.stack", kIndex, "stack"},
      {"peak.kind", kByte, "", kLargestMemoryKind},
      {"peak.bytes", kNumber},
      {"peak.blocks", kNumber},
      {"peak.samples", kNumber},
      {"peak.variance", kNumber},
      {"left.thread", kIndex, "thread"},
      {"left.stack", kIndex, "stack"},
      {"left.kind", kByte, "", kLargestMemoryKind},
      {"left.bytes", kNumber},
      {"left.blocks", kNumber},
      {"left.samples", kNumber},
      {"left.variance", kNumber},
      {"left.type", kIndex, "string"},
      {"amount.metric", kByte, "", kLargestDeclared},
      {"amount.thread", kIndex, "thread"},
      {"amount.stack", kIndex, "stack"},
      {"amount.value", kNumber},
      {"amount.count", kNumber},
      {"amount.time", kNumber},
      {"level.process", kIndex, "process"},
      {"level.time", kNumber},
      {"level.rss", kNumber},
      {"level.pss", kNumber},
      {"level.python", kNumber},
      {"level.native", kNumber},
      {"level.mapped", kNumber},
      {"region.thread", kIndex, "thread"},
      {"region.name", kIndex, "string"},
      {"region.begin", kNumber},
      {"region.length", kNumber},
      {"region.cpu", kNumber},
      {"block.thread", kIndex, "thread"},
      {"block.stack", kIndex, "stack"},
      {"block.begin", kNumber},
      {"block.length", kNumber},
  });
}();

// The name of a column. One that is not in the list does not compile.
struct PageColumnName {
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for its text.
  consteval PageColumnName(const char* name) : text(name) {
    if (std::ranges::find(kPageColumns, text, &PageColumn::name) == kPageColumns.end())
      throw "no column of kPageColumns";
  }
  std::string_view text;
};

}  // namespace pyrometer::export_
