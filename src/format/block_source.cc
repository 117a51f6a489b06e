// SPDX-License-Identifier: Apache-2.0
#include "format/block_source.h"

#include "format/block_decoder.h"

namespace pyrometer::format {
namespace {

// Writers fill blocks of samples to some hundred kilobytes.
constexpr size_t kMostDecodedBytes = size_t{2} << 20;

}  // namespace

bool BlockSource::Next(ContentBlock& out) {
  const auto block = scanner_.Next();
  if (!block) return false;
  out.block = *block;
  out.known = BlockDecoder::Knows(block->type) && BlockUnpacker::Knows(*block);
  out.raw.reset();
  out.has_batch = false;
  if (!out.known || !wanted_) return true;
  out.raw = unpacker_.Unpack(*block, out.buffer);
  const auto kind = SampleKindOf(static_cast<BlockType>(block->type));
  if (!out.raw || !kind || !decode_samples_ || out.raw->size() > kMostDecodedBytes) return true;
  DecodeBatch(*out.raw, *kind, out.batch);
  out.has_batch = true;
  return true;
}

}  // namespace pyrometer::format
