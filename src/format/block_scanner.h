// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "format/layout.h"

namespace pyrometer::format {

// One block whose checksum is right. The payload points into the file.
struct Block {
  uint8_t type = 0;         // a BlockType, or one that is not known yet
  uint8_t compression = 0;  // a Compression, or one that is not known yet
  uint32_t sequence = 0;
  uint32_t raw_bytes = 0;
  std::span<const uint8_t> payload;

  size_t file_bytes() const { return kBlockHeaderBytes + payload.size(); }
};

// Finds the good blocks of a file, whatever lies between them.
//
// Invariants:
//  1. blocks come in file order, with rising sequence numbers; one that does
//     not rise belongs to another capture, and ends the scan;
//  2. every byte that Next() passes over is either in a block that it returned
//     or in bytes_lost().
//
// Does not own the file. Thread-safety: none; one owner.
class BlockScanner {
 public:
  // Starts at byte `start` of `file`.
  BlockScanner(std::span<const uint8_t> file, size_t start);

  // The next good block; nothing at the end of the file.
  std::optional<Block> Next();

  uint64_t bytes_lost() const { return bytes_lost_; }

 private:
  std::optional<Block> ParseAt(size_t offset);
  // Offset of the next sync marker at or after `offset`, or the file's size.
  size_t FindSync(size_t offset) const;

  std::span<const uint8_t> file_;
  size_t position_;
  uint64_t bytes_lost_ = 0;
  uint64_t next_sequence_ = 0;
  uint64_t futile_bytes_left_;
};

}  // namespace pyrometer::format
