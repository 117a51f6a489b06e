// SPDX-License-Identifier: Apache-2.0
#include "cpython/opcodes.h"

#include <initializer_list>

namespace pyrometer::cpython {
namespace {

// The set of call instructions of one minor version.
struct CallOpcodes {
  constexpr CallOpcodes(uint16_t version, std::initializer_list<uint8_t> numbers) : minor(version) {
    for (const uint8_t number : numbers) bits[number / 64] |= uint64_t{1} << number % 64;
  }
  constexpr bool Contains(uint8_t number) const {
    return (bits[number / 64] >> number % 64 & 1) != 0;
  }

  uint16_t minor;
  uint64_t bits[4] = {};
};

constexpr CallOpcodes kCallOpcodes[] = {
#include "cpython/opcodes_generated.inc"
};

}  // namespace

bool IsCallOpcode(const Layout& layout, uint8_t opcode) {
  for (const CallOpcodes& set : kCallOpcodes) {
    if (set.minor == layout.minor) return set.Contains(opcode);
  }
  return false;
}

}  // namespace pyrometer::cpython
