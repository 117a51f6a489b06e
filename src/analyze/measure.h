// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "analyze/breakdown.h"
#include "analyze/memory_stats.h"

namespace pyrometer::analyze {

// What a ranking, or a tree of calls, goes by.
enum class Measure : uint8_t {
  kWall,
  kCpu,
  kPython,
  kNative,
  kKernel,
  kWait,
  kGc,
  kAwait,
  kMemory,
  kAllocated,
  kCopied,
};

struct MeasureInfo {
  Measure measure;
  std::string_view name;     // as given to --sort
  std::string_view meaning;  // a few words
};

// All of them, in the order of the enum.
std::span<const MeasureInfo> Measures();
const MeasureInfo& InfoOf(Measure measure);
std::optional<Measure> MeasureOfName(std::string_view name);

// In bytes, else in nanoseconds.
constexpr bool IsMemory(Measure measure) { return measure >= Measure::kMemory; }

uint64_t ValueOf(Measure measure, const Breakdown& time, const MemoryStats& memory);

}  // namespace pyrometer::analyze
