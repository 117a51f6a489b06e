// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer::import_ {

// Called now and then with what has been read of the file, packed as it is there.
using Progress = std::function<void(size_t done, size_t total)>;

// The bytes of a file from front to back, unpacked where they are gzip or zstd.
//
// `file` must outlive it. Thread-safety: none; one owner.
class ByteInput {
 public:
  // What a text of a profile may unpack to, relative to its size. Beyond that it was made
  // to fill somebody's memory. Small files may do what they like.
  static constexpr size_t kMaxRatio = 400;
  static constexpr size_t kAlwaysAllowed = size_t{64} << 20;
  // The most that may have to be in memory at once.
  static constexpr size_t kMaxWhole = size_t{2} << 30;

  explicit ByteInput(std::span<const uint8_t> file, Progress progress = {});
  ~ByteInput();
  ByteInput(const ByteInput&) = delete;
  ByteInput& operator=(const ByteInput&) = delete;

  // The next bytes, valid until the next call; none at the end, and after an error.
  std::string_view Next();
  // Everything that is left.
  base::Result<std::string> ReadAll(size_t limit = kMaxWhole);

  // What was wrong with the packing, if anything. Bytes before that are good.
  const base::Status& status() const { return status_; }

 private:
  class Unpacker;
  class GzipUnpacker;
  class ZstdUnpacker;

  std::span<const uint8_t> file_;
  const Progress progress_;
  std::unique_ptr<Unpacker> unpacker_;  // none: not packed
  bool complete_ = true;                // what was packed, so far
  size_t done_ = 0;                     // of file_
  size_t unpacked_ = 0;
  std::string buffer_;
  base::Status status_;
};

}  // namespace pyrometer::import_
