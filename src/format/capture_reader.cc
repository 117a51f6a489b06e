// SPDX-License-Identifier: Apache-2.0
#include "format/capture_reader.h"

#include <algorithm>

#include "format/block_decoder.h"
#include "format/block_source.h"
#include "format/byte_reader.h"
#include "format/checksum.h"
#include "format/layout.h"
#include "format/read_ahead.h"

namespace pyrometer::format {
namespace {

// The version that a sound file header states; 0 when the header is damaged.
uint16_t HeaderVersion(std::span<const uint8_t> file) {
  if (file.size() < kFileHeaderBytes || !HasFileMagic(file)) return 0;
  ByteReader in(file.subspan(kFileMagic.size()));
  const auto version = in.Fixed<uint16_t>();
  in.Fixed<uint16_t>();
  const bool sound = in.Fixed<uint32_t>() == Checksum(file.first(kFileHeaderCheckedBytes));
  return sound ? version : uint16_t{0};
}

bool BeginsLikeACapture(std::span<const uint8_t> file) {
  const size_t n = std::min(file.size(), kFileMagic.size());
  return std::ranges::equal(file.first(n), std::span(kFileMagic).first(n));
}

}  // namespace

ReadReport CaptureReader::Read(std::span<const uint8_t> file, RecordVisitor& visitor,
                               const ReadLimits& limits,
                               const std::function<void(size_t done)>& progress) {
  ReadReport report;
  if (file.empty()) {
    report.outcome = ReadOutcome::kEmpty;
    return report;
  }
  report.version = HeaderVersion(file);
  if (report.version > kFormatVersion) {
    report.outcome = ReadOutcome::kNewerVersion;
    return report;
  }
  // Blocks vouch for themselves, so a damaged file header costs itself only.
  const bool read_ahead = file.size() >= limits.read_ahead_from_bytes;
  BlockSource source(file, report.version == 0 ? 0 : kFileHeaderBytes, read_ahead);
  BlockDecoder decoder(visitor,
                       limits.memory_bytes + limits.memory_bytes_per_file_byte * file.size());
  bool within_limits = true;
  uint64_t unusable_bytes = 0;
  const auto take = [&](const ContentBlock& content) {
    // Its payload points into the file.
    if (progress) progress(static_cast<size_t>(content.block.payload.data() - file.data()));
    if (!content.known) {
      ++report.blocks_skipped;
      return;
    }
    ++report.blocks_read;
    if (within_limits && content.raw) {
      const auto type = static_cast<BlockType>(content.block.type);
      within_limits = content.has_batch ? decoder.Deliver(content.batch, content.raw->size())
                                        : decoder.Decode(type, *content.raw);
      if (!within_limits) source.SkipContents();
    }
    if (!content.raw || !within_limits) unusable_bytes += content.block.file_bytes();
  };
  if (read_ahead) {
    ReadAhead ahead(source);
    while (const ContentBlock* content = ahead.Next()) take(*content);
  } else {
    ContentBlock content;
    while (source.Next(content)) take(content);
  }
  if (report.version == 0 && report.blocks_read == 0 && !BeginsLikeACapture(file)) {
    report.outcome = ReadOutcome::kNotACapture;
    return report;
  }
  report.bytes_lost = source.bytes_lost() + unusable_bytes;
  report.bytes_read = file.size() - report.bytes_lost;
  report.records_invalid = decoder.records_invalid();
  report.orderly_end = decoder.orderly_end();
  return report;
}

}  // namespace pyrometer::format
