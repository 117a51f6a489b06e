// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>

#include "unwind/unwind_row.h"

namespace pyrometer::unwind {

// Bytes of code after a call that are worth a look.
inline constexpr size_t kEpilogueBytes = 16;

// How to leave a function of which nothing is known but the `code` after a call:
// where that does nothing but give the frame back and return, it says so itself.
// So do the trampolines of `python -X perf`. False for anything else.
//
// Signal-safety: safe.
inline bool ReadEpilogue([[maybe_unused]] std::span<const uint8_t> code,
                         [[maybe_unused]] UnwindRow* row) {
#if defined(__x86_64__)
  constexpr int32_t kWord = 8;
  constexpr int32_t kMaxFrame = 1 << 14;  // offsets of a row have 16 bits
  UnwindRow result{};
  int32_t depth = 0;  // of the stack pointer, above where it is now
  const auto is = [&](size_t at, std::initializer_list<uint8_t> bytes) {
    return bytes.size() <= code.size() - at &&
           std::memcmp(code.data() + at, bytes.begin(), bytes.size()) == 0;
  };
  for (size_t at = 0; at < code.size() && depth < kMaxFrame;) {
    const uint8_t byte = code[at];
    if (byte == 0xc3) {  // ret
      result.kind = UnwindRow::Kind::kPlain;
      result.base = UnwindRow::Base::kSp;
      result.cfa_offset = depth + kWord;
      result.ra_where = UnwindRow::Where::kAtCfa;
      result.ra_offset = -kWord;
      *row = result;
      return true;
    }
    if (is(at, {0x48, 0x83, 0xc4}) && at + 3 < code.size()) {  // add $imm8, %rsp
      const auto bytes = static_cast<int8_t>(code[at + 3]);
      if (bytes <= 0) return false;
      depth += bytes;
      at += 4;
    } else if (is(at, {0x48, 0x81, 0xc4}) && at + 6 < code.size()) {  // add $imm32, %rsp
      int32_t bytes;
      std::memcpy(&bytes, code.data() + at + 3, sizeof bytes);
      if (bytes <= 0 || bytes > kMaxFrame) return false;
      depth += bytes;
      at += 7;
    } else if (byte >= 0x58 && byte <= 0x5f && byte != 0x5c) {  // pop, not of rsp
      constexpr uint8_t kPopRbx = 0x5b, kPopRbp = 0x5d;
      if (byte == kPopRbp) {
        result.bp_where = UnwindRow::Where::kAtSp;
        result.bp_offset = static_cast<int16_t>(depth);
      } else if (byte == kPopRbx) {
        result.aux_where = UnwindRow::Where::kAtSp;
        result.aux_offset = static_cast<int16_t>(depth);
      }
      depth += kWord;
      at += 1;
    } else if (byte == 0x41 && at + 1 < code.size() && code[at + 1] >= 0x58 &&
               code[at + 1] <= 0x5f) {  // pop of r8 to r15
      depth += kWord;
      at += 2;
    } else if (is(at, {0xc5, 0xf8, 0x77})) {  // vzeroupper
      at += 3;
    } else {
      return false;
    }
  }
#endif
  return false;
}

}  // namespace pyrometer::unwind
