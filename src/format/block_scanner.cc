// SPDX-License-Identifier: Apache-2.0
#include "format/block_scanner.h"

#include <algorithm>
#include <cstring>

#include "format/byte_reader.h"
#include "format/checksum.h"

namespace pyrometer::format {
namespace {

// A file made of nothing but sync markers would have each of them check the
// whole rest. So many bytes may be checked in vain, for each byte of the file.
constexpr uint64_t kFutileBytesPerByte = 4;
constexpr uint64_t kFutileBytesAlways = uint64_t{2} * kMaxBlockBytes;

}  // namespace

BlockScanner::BlockScanner(std::span<const uint8_t> file, size_t start)
    : file_(file),
      position_(std::min(start, file.size())),
      futile_bytes_left_(kFutileBytesAlways + kFutileBytesPerByte * file.size()) {}

std::optional<Block> BlockScanner::Next() {
  for (size_t offset = FindSync(position_); offset < file_.size(); offset = FindSync(offset + 1)) {
    const auto block = ParseAt(offset);
    if (!block.has_value()) continue;
    if (block->sequence < next_sequence_) break;
    next_sequence_ = uint64_t{block->sequence} + 1;
    bytes_lost_ += offset - position_;
    position_ = offset + block->file_bytes();
    return block;
  }
  bytes_lost_ += file_.size() - position_;
  position_ = file_.size();
  return std::nullopt;
}

std::optional<Block> BlockScanner::ParseAt(size_t offset) {
  const auto rest = file_.subspan(offset);
  if (rest.size() < kBlockHeaderBytes) return std::nullopt;
  ByteReader in(rest.subspan(kBlockSync.size()));
  const auto checksum = in.Fixed<uint32_t>();
  Block block;
  block.type = in.Byte();
  block.compression = in.Byte();
  const auto reserved = in.Fixed<uint16_t>();
  block.sequence = in.Fixed<uint32_t>();
  const auto payload_bytes = in.Fixed<uint32_t>();
  block.raw_bytes = in.Fixed<uint32_t>();
  if (reserved != 0 || payload_bytes > kMaxBlockBytes || block.raw_bytes > kMaxBlockBytes) {
    return std::nullopt;
  }
  block.payload = in.Bytes(payload_bytes);
  if (!in.ok()) return std::nullopt;

  const auto checked = rest.first(block.file_bytes()).subspan(kBlockCheckedFrom);
  if (checked.size() > futile_bytes_left_) return std::nullopt;
  if (Checksum(checked) == checksum) return block;
  futile_bytes_left_ -= checked.size();
  return std::nullopt;
}

size_t BlockScanner::FindSync(size_t offset) const {
  while (offset < file_.size()) {
    const auto rest = file_.subspan(offset);
    const void* found = std::memchr(rest.data(), kBlockSync[0], rest.size());
    if (found == nullptr) break;
    offset = static_cast<size_t>(static_cast<const uint8_t*>(found) - file_.data());
    const auto marker = file_.subspan(offset, std::min(kBlockSync.size(), file_.size() - offset));
    if (std::ranges::equal(marker, kBlockSync)) return offset;
    ++offset;
  }
  return file_.size();
}

}  // namespace pyrometer::format
