// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "format/byte_reader.h"
#include "format/byte_writer.h"
#include "format/layout.h"
#include "format/records.h"

namespace pyrometer::format {

// Samples as columns. Every value is predicted and only the error is stored:
//
//   | count | base time | period | length of each column | columns ...        |
//
//   time    from the thread's sample before: one period later
//   thread  the thread of the sample before
//   stack   the thread's stack before
//   weight  the time since the thread's sample before, which is what a thread
//           that keeps running, or keeps waiting, has spent
//   task    the thread's task before; 0 is none, else its id + 1. Only in blocks
//           of samples of which some are in tasks.
//
// Activity and count are stored as they are: they hardly ever change, so the
// compressor takes them for next to nothing.
enum class SampleKind : uint8_t { kPlain, kInTasks };

// What kind of block these need.
SampleKind KindOf(std::span<const Sample> samples);

void EncodeSamples(std::span<const Sample> samples, ByteWriter& out);

// The kind of samples that blocks of a type hold; empty: none.
std::optional<SampleKind> SampleKindOf(BlockType type);

// The samples of one block.
struct SampleBatch {
  std::vector<Sample> samples{};
  uint64_t missing = 0;  // that the block claims to have, behind what could be read
  bool sound = true;     // to its last byte
};
// Overwrites `out`.
void DecodeBatch(std::span<const uint8_t> raw, SampleKind kind, SampleBatch& out);

// Reads the samples of one block, one at a time.
// Does not own the bytes. Thread-safety: none; one owner.
class SampleDecoder {
 public:
  SampleDecoder(ByteReader& in, SampleKind kind);

  bool ok() const;
  // Samples still to come, if the block is sound.
  uint64_t remaining() const { return remaining_; }
  // Decodes the next sample. False: the block is not sound; no more will come.
  // An activity that is not known is passed on as it is.
  // REQUIRES: remaining() > 0
  bool Next(Sample& sample) {
    if (!Step(sample) || !ok()) return false;
    --remaining_;
    return true;
  }
  // All samples, if the block is sound. False: it is not, and who wants what precedes the
  // damage has to begin again, with Next.
  bool TakeAll(std::vector<Sample>& out);
  // True when every column was used up.
  bool AtEnd() const;

 private:
  struct Last {
    uint64_t time_ns;
    uint32_t stack;
    uint64_t task;
  };

  // As Next, but does not look whether a column has ended; if so, the sample is nonsense.
  bool Step(Sample& sample);
  Last& LastOf(uint32_t thread) { return thread < low_.size() ? low_[thread] : NewLastOf(thread); }
  Last& NewLastOf(uint32_t thread);

  uint64_t remaining_;
  uint64_t base_ns_;
  uint64_t period_ns_;
  SampleKind kind_;
  bool header_ok_;
  std::array<ByteReader, 7> columns_;
  uint32_t thread_ = 0;
  std::vector<Last> low_;  // by thread, of the first ones: nearly always all
  std::unordered_map<uint32_t, Last> high_;
};

}  // namespace pyrometer::format
