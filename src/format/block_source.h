// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/block_scanner.h"
#include "format/block_unpacker.h"
#include "format/sample_codec.h"

namespace pyrometer::format {

// A good block with its content, as far as that was wanted.
struct ContentBlock {
  Block block{};
  bool known = false;  // by its type and compression
  // The records; nothing: they were not wanted, or do not unpack.
  std::optional<std::span<const uint8_t>> raw{};
  bool has_batch = false;  // the samples in `raw` are decoded:
  SampleBatch batch{};

  std::vector<uint8_t> buffer{};  // where `raw` may lie
};

// The good blocks of a file, unpacked. Does not own the file.
// Thread-safety: one owner, but for SkipContents.
class BlockSource {
 public:
  // Starts at byte `start` of `file`. With `decode_samples`, blocks of samples come
  // decoded, unless they are so large that this had better be done bit by bit.
  BlockSource(std::span<const uint8_t> file, size_t start, bool decode_samples)
      : scanner_(file, start), decode_samples_(decode_samples) {}

  // Makes `out` the next block, and uses the memory that it had. False at the end of the
  // file.
  bool Next(ContentBlock& out);
  // From now on nobody wants to know what is in the blocks. Any thread may call it.
  void SkipContents() { wanted_ = false; }

  uint64_t bytes_lost() const { return scanner_.bytes_lost(); }

 private:
  BlockScanner scanner_;
  BlockUnpacker unpacker_;
  const bool decode_samples_;
  std::atomic<bool> wanted_ = true;
};

}  // namespace pyrometer::format
