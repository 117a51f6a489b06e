// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace pyrometer::cpython {

// UTF-8 of the characters of a Python str, given as stored: `kind` bytes each
// (1, 2 or 4), native byte order. Lone surrogates and values beyond Unicode
// become \uXXXX and \UXXXXXXXX escapes, so the result is always valid UTF-8.
// Allocates: for the collector, not for signal handlers.
std::string ToUtf8(std::span<const uint8_t> raw, uint8_t kind);

}  // namespace pyrometer::cpython
