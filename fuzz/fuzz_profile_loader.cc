// SPDX-License-Identifier: Apache-2.0
// The input is a list of blocks: a type, two bytes of length, the records.
// They are framed here, for a fuzzer cannot guess checksums, so every input
// reaches the decoders; the profile must be sound whatever they found.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "format/block_writer.h"
#include "format/memory_sink.h"
#include "profile/profile_loader.h"
#include "profile/testing/check_invariants.h"

namespace {

using pyrometer::format::BlockType;

void Frame(std::span<const uint8_t> input, pyrometer::format::BlockWriter& writer) {
  while (input.size() >= 3) {
    const auto type = static_cast<BlockType>(input[0]);
    const size_t length = input[1] | size_t{input[2]} << 8;
    input = input.subspan(3);
    const auto records = input.first(std::min(length, input.size()));
    input = input.subspan(records.size());
    if (!writer.Write(type, records).ok()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr pyrometer::format::ReadLimits kLimits = {.memory_bytes = uint64_t{64} << 20};
  pyrometer::format::MemorySink sink;
  pyrometer::format::BlockWriter writer(sink);
  if (!writer.WriteFileHeader().ok()) std::abort();
  Frame({data, size}, writer);
  const auto profile = pyrometer::profile::LoadProfile(sink.bytes(), kLimits);
  if (!profile.ok()) return 0;
  if (profile->load.bytes_lost != 0) std::abort();
  if (!pyrometer::profile::testing::BrokenInvariant(profile.value()).empty()) std::abort();
  return 0;
}
