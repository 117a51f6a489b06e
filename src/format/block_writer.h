// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zstd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "format/layout.h"
#include "format/sink.h"

namespace pyrometer::format {

// Turns payloads into blocks: compresses, checks, numbers, and hands each
// block to the sink in one piece.
//
// `sink` must outlive it. Thread-safety: none; one owner.
class BlockWriter {
 public:
  explicit BlockWriter(Sink& sink);

  base::Status WriteFileHeader();
  // REQUIRES: payload.size() <= kMaxBlockBytes
  base::Status Write(BlockType type, std::span<const uint8_t> payload);

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  // Puts the packed payload behind the header in block_. False: not worth it.
  bool Compress(std::span<const uint8_t> payload);

  Sink& sink_;
  std::unique_ptr<ZSTD_CCtx, FreeContext> zstd_;
  uint32_t sequence_ = 0;
  std::vector<uint8_t> block_;
};

}  // namespace pyrometer::format
