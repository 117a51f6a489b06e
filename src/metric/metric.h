// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "format/records.h"

// What can be counted: the one definition that options, reports, exports, imports and the page
// go by. docs/glossary.md says the same in words.
namespace pyrometer::metric {

enum class Unit : uint8_t { kCount, kNanoseconds, kBytes };

// What is recorded about stacks, and the sums that are made of it.
enum class Metric : uint8_t {
  // Time of threads by what they did. The numbers are those of format::Activity.
  kPython,
  kNative,
  kKernel,
  kIoWait,
  kLockWait,
  kGilWait,
  kSleep,
  kChildWait,
  kRunQueue,
  kOtherWait,
  // Parts of the above by another division: in no sum but that of kTime.
  kMainWait,
  kGc,
  kImport,
  kWorker,
  kAwait,  // of tasks; no thread spends it
  kSamples,
  kAllocated,
  kLiveAtPeak,
  kLiveAtExit,
  kCopied,
  // Sums.
  kTime,
  kWall,
  kCpu,
  kWait,
  // Further numbers are what a profile declares (table.h).
};
inline constexpr size_t kCount = 24;

// A set of metrics: those above, and as many of a profile's own as there is room for.
using Mask = uint64_t;
inline constexpr size_t kMaxDeclared = 64 - kCount;
inline constexpr Mask kKnown = (Mask{1} << kCount) - 1;
constexpr Mask Bit(Metric metric) { return Mask{1} << static_cast<size_t>(metric); }

// Who asks for a metric by its name, or shows it.
enum Use : uint8_t {
  kRanked = 1,    // `report --sort`, `diff --sort`, and limits of `diff`
  kExported = 2,  // `export --metric`, and what formats with several values have
};

struct Info {
  Metric metric;
  std::string_view name;  // in options, JSON, exports and the page's data
  // Names that it once had, which are still taken: as what to rank by, and in exports.
  std::string_view earlier_ranked, earlier_exported;
  std::string_view title;    // as a heading
  std::string_view head;     // of a narrow column, where the unit follows
  std::string_view phrase;   // completes "2 s of ..."
  std::string_view meaning;  // what is counted, in a few words
  Unit unit;
  Mask parts;  // what it is the sum of: itself where it is recorded
  uint8_t uses;
  std::string_view unit_name = "";  // of what a profile declares; else it goes without saying
};

constexpr bool IsDeclared(Metric metric) { return static_cast<size_t>(metric) >= kCount; }

// All of them, by number.
std::span<const Info> All();
// REQUIRES: not declared
const Info& InfoOf(Metric metric);
// Those of a use, in the order in which lists show them.
std::span<const Info> Listed(Use use);
// What any metric is the sum of: a declared one of itself.
Mask PartsOf(Metric metric);
// "count", "nanoseconds", "bytes".
std::string_view UnitName(Unit unit);
// The same, or what a profile calls it.
std::string_view UnitName(const Info& info);

constexpr Metric Of(format::Activity activity) { return Metric(activity); }
// Of time, whether that activity of any thread is a part of it.
inline bool Contains(Metric metric, format::Activity activity) {
  return (PartsOf(metric) & Bit(Of(activity))) != 0;
}
// Comes from the records of memory.
inline bool IsMemory(Metric metric) {
  return !IsDeclared(metric) && InfoOf(metric).unit == Unit::kBytes;
}

}  // namespace pyrometer::metric
