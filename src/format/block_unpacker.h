// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zstd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "format/block_scanner.h"

namespace pyrometer::format {

// Undoes the compression of blocks, never into more than they announce.
// Thread-safety: none; one owner.
class BlockUnpacker {
 public:
  BlockUnpacker() : zstd_(ZSTD_createDCtx()) {}

  // False: by a method that this version does not know.
  static bool Knows(const Block& block) {
    return block.compression <= static_cast<uint8_t>(Compression::kZstd);
  }

  // The records of `block`, which lie in the file or else in `buffer`; nothing if the
  // payload does not unpack to the announced size. REQUIRES: Knows(block)
  std::optional<std::span<const uint8_t>> Unpack(const Block& block, std::vector<uint8_t>& buffer) {
    if (static_cast<Compression>(block.compression) == Compression::kStored) {
      if (block.payload.size() != block.raw_bytes) return std::nullopt;
      return block.payload;
    }
    buffer.resize(block.raw_bytes);
    const size_t n = ZSTD_decompressDCtx(zstd_.get(), buffer.data(), buffer.size(),
                                         block.payload.data(), block.payload.size());
    if (ZSTD_isError(n) != 0 || n != buffer.size()) return std::nullopt;
    return buffer;
  }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::unique_ptr<ZSTD_DCtx, FreeContext> zstd_;
};

}  // namespace pyrometer::format
