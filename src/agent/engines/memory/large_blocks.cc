// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/large_blocks.h"

#include <algorithm>

#include "sigsafe/syscall.h"

namespace pyrometer::agent {

bool LargeBlocks::CountTaken(uint64_t address, uint64_t bytes, uint64_t* taken) {
  constexpr uint64_t kPage = 4096;
  constexpr uint64_t kPartPages = 4096;  // looked at together
  constexpr uint64_t kMostParts = 256;   // of more, only some are looked at
  constexpr uint64_t kPart = kPartPages * kPage;
  unsigned char resident[kPartPages];
  const uint64_t begin = address / kPage * kPage, end = address + bytes;
  const uint64_t parts = (end - begin + kPart - 1) / kPart;
  const uint64_t step = parts / kMostParts + 1;
  uint64_t pages = 0, seen = 0;
  for (uint64_t part = 0; part < parts; part += step) {
    const uint64_t from = begin + part * kPart;
    const uint64_t size = std::min(end - from, kPart);
    const uint64_t count = (size + kPage - 1) / kPage;
    if (sigsafe::Syscall(SYS_mincore, static_cast<long>(from), static_cast<long>(size),
                         sigsafe::Arg(resident)) < 0)
      return false;
    for (uint64_t i = 0; i < count; ++i) pages += resident[i] & 1;
    seen += count;
  }
  // The pages at both ends need not be all of the block's.
  const double share = seen == 0 ? 0 : static_cast<double>(pages) / static_cast<double>(seen);
  *taken = pages == seen ? bytes : static_cast<uint64_t>(share * static_cast<double>(bytes));
  return true;
}

}  // namespace pyrometer::agent
