// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>

#include "format/byte_reader.h"
#include "format/byte_writer.h"
#include "format/records.h"

namespace pyrometer::format {

// Changes of memory as columns:
//
//   | count | length of each column | columns ...                            |
//
//   time, thread, stack   from the row before: a window has many rows, and
//                         places that a thread came to one after the other
//                         have ids close together
//   kind                  as it is
//   allocated, freed      bytes, blocks, samples and variance as they are:
//                         mostly small or 0
//   high                  from the place's row before, for it only rises
inline constexpr size_t kMemoryChangeColumns = 13;

void EncodeMemoryChanges(std::span<const MemoryChange> changes, ByteWriter& out);

// Reads the changes of one block, one at a time.
// Does not own the bytes. Thread-safety: none; one owner.
class MemoryChangeDecoder {
 public:
  explicit MemoryChangeDecoder(ByteReader& in);

  bool ok() const;
  // Rows still to come, if the block is sound.
  uint64_t remaining() const { return remaining_; }
  // Decodes the next row. False: the block is not sound; no more will come.
  // A kind that is not known is passed on as it is.
  // REQUIRES: remaining() > 0
  bool Next(MemoryChange& change);
  // True when every column was used up.
  bool AtEnd() const;

 private:
  using Place = std::tuple<ThreadId, StackId, MemoryKind>;

  MemoryAmount Amount(size_t first_column);

  uint64_t remaining_;
  bool header_ok_;
  std::array<ByteReader, kMemoryChangeColumns> columns_;
  uint64_t time_ns_ = 0;
  uint32_t thread_ = 0;
  uint32_t stack_ = 0;
  std::map<Place, uint64_t> high_bytes_;
};

}  // namespace pyrometer::format
