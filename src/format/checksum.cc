// SPDX-License-Identifier: Apache-2.0
#include "format/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace pyrometer::format {

uint32_t Checksum(std::span<const uint8_t> bytes) {
  return static_cast<uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace pyrometer::format
