// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace pyrometer::format {

// The low 32 bits of XXH3-64 with seed 0.
uint32_t Checksum(std::span<const uint8_t> bytes);

}  // namespace pyrometer::format
