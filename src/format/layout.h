// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// The fixed numbers of the capture file. docs/format/README.md is normative;
// this header and that page change together. All integers are little endian.
namespace pyrometer::format {

// File header:
//   0        8         10      12          16
//   +--------+---------+-------+-----------+
//   | magic  | version | flags | checksum  |
//   +--------+---------+-------+-----------+
// The high first byte and the line ends betray a transfer as text.
inline constexpr std::array<uint8_t, 8> kFileMagic = {0x8f, 'p', 'y', 'r', 'o', '\r', '\n', 0x1a};
// Whether `file` begins as a capture does.
inline bool HasFileMagic(std::span<const uint8_t> file) {
  return file.size() >= kFileMagic.size() &&
         std::ranges::equal(file.first(kFileMagic.size()), kFileMagic);
}
inline constexpr uint16_t kFormatVersion = 1;
inline constexpr size_t kFileHeaderBytes = 16;
inline constexpr size_t kFileHeaderCheckedBytes = 12;

// Block header:
//   0      4          8      9             10         12         16        20    24
//   +------+----------+------+-------------+----------+----------+---------+-----+
//   | sync | checksum | type | compression | reserved | sequence | payload | raw |
//   +------+----------+------+-------------+----------+----------+---------+-----+
// The checksum covers everything behind itself, the payload included.
inline constexpr std::array<uint8_t, 4> kBlockSync = {0xb7, 0x9d, 0xe4, 0xf1};
inline constexpr size_t kBlockHeaderBytes = 24;
inline constexpr size_t kBlockCheckedFrom = 8;
// Neither the payload nor what it unpacks to may be larger.
inline constexpr size_t kMaxBlockBytes = size_t{16} << 20;

enum class BlockType : uint8_t {
  kRun = 1,
  kStrings = 2,
  kProcesses = 3,
  kThreads = 4,
  kCodes = 5,
  kModules = 6,
  kFrames = 7,
  kStacks = 8,
  kSamples = 9,
  kSymbols = 10,
  kSources = 11,
  kCounters = 12,
  kThreadEnds = 13,
  kProcessEnds = 14,
  kRunEnd = 15,
  kGilWaits = 16,
  kRegions = 17,
  kProfiledFunctions = 18,
  kTasks = 19,
  kTaskEnds = 20,
  kAwaits = 21,
  kTaskSamples = 22,
  kLoopBlocks = 23,
  kMemoryChanges = 24,
  kMemoryPeaks = 25,
  kMemorySurvivors = 26,
  kMemoryLevels = 27,
  kTaskOrigins = 28,
  kMetrics = 29,
  kMetricAmounts = 30,
};

enum class Compression : uint8_t { kStored = 0, kZstd = 1 };

// Longest text, list of texts and list of inlined functions that a writer
// puts into a record. They keep every record far below kMaxBlockBytes.
inline constexpr size_t kMaxTextBytes = size_t{1} << 20;
inline constexpr size_t kMaxListBytes = size_t{8} << 20;
inline constexpr size_t kMaxSymbolLines = 4096;
// So many places of live memory stand in a record by themselves, and at most as
// many sums of the others.
inline constexpr size_t kMaxLiveParts = 65536;
// A larger source file is not kept at all: half a file would mislead.
inline constexpr size_t kMaxSourceBytes = size_t{8} << 20;

}  // namespace pyrometer::format
