// SPDX-License-Identifier: Apache-2.0
#include "format/block_writer.h"

#include <algorithm>

#include "format/byte_writer.h"
#include "format/checksum.h"

namespace pyrometer::format {
namespace {

constexpr int kZstdLevel = 3;
// Below this the frame of zstd costs more than it saves.
constexpr size_t kMinCompressBytes = 48;

}  // namespace

BlockWriter::BlockWriter(Sink& sink) : sink_(sink), zstd_(ZSTD_createCCtx()) {}

base::Status BlockWriter::WriteFileHeader() {
  ByteWriter header;
  header.Bytes(kFileMagic);
  header.Fixed(kFormatVersion);
  header.Fixed(uint16_t{0});
  header.Fixed(Checksum(header.bytes()));
  return sink_.Append(header.bytes());
}

bool BlockWriter::Compress(std::span<const uint8_t> payload) {
  if (zstd_ == nullptr || payload.size() < kMinCompressBytes) return false;
  block_.resize(kBlockHeaderBytes + ZSTD_compressBound(payload.size()));
  const size_t packed = ZSTD_compressCCtx(zstd_.get(), block_.data() + kBlockHeaderBytes,
                                          block_.size() - kBlockHeaderBytes, payload.data(),
                                          payload.size(), kZstdLevel);
  if (ZSTD_isError(packed) != 0 || packed >= payload.size()) return false;
  block_.resize(kBlockHeaderBytes + packed);
  return true;
}

base::Status BlockWriter::Write(BlockType type, std::span<const uint8_t> payload) {
  Compression compression = Compression::kZstd;
  if (!Compress(payload)) {
    compression = Compression::kStored;
    block_.resize(kBlockHeaderBytes);
    block_.insert(block_.end(), payload.begin(), payload.end());
  }
  ByteWriter checked;
  checked.Byte(static_cast<uint8_t>(type));
  checked.Byte(static_cast<uint8_t>(compression));
  checked.Fixed(uint16_t{0});
  checked.Fixed(sequence_++);
  checked.Fixed(static_cast<uint32_t>(block_.size() - kBlockHeaderBytes));
  checked.Fixed(static_cast<uint32_t>(payload.size()));
  std::ranges::copy(checked.bytes(), block_.begin() + kBlockCheckedFrom);

  ByteWriter front;
  front.Bytes(kBlockSync);
  front.Fixed(Checksum(std::span(block_).subspan(kBlockCheckedFrom)));
  std::ranges::copy(front.bytes(), block_.begin());
  return sink_.Append(block_);
}

}  // namespace pyrometer::format
