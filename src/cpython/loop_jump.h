// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cpython/code_object.h"
#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// Where the instruction at byte offset `instruction` jumps back to, if it is the end of
// a loop. Compilers of 3.10 to 3.12 give no line to that jump where several lines lead
// to it; the loop that it goes on with has one. Empty: it is something else.
template <MemoryReader R>
std::optional<uint32_t> FindLoopStart(const ObjectLayout& objects, const R& reader,
                                      const CodeHead& code, uint32_t instruction) {
  if (objects.loop_jump_opcode == 0) return {};
  if (instruction % 2 != 0 || uint64_t{instruction} + 2 > code.bytecode_size) return {};
  std::array<uint8_t, 2> unit{};
  const auto read = [&](uint32_t at) {
    return reader.Read(code.bytecode + at, unit.data(), unit.size());
  };
  if (!read(instruction)) return {};
  if (unit[0] != objects.loop_jump_opcode && unit[0] != objects.loop_jump_variant) return {};
  uint64_t argument = unit[1];
  // Arguments of more than a byte begin in front of the instruction.
  for (unsigned bytes = 1; bytes < 4 && instruction >= 2 * bytes; ++bytes) {
    if (!read(instruction - 2 * bytes)) return {};
    if (unit[0] != objects.extended_arg_opcode && unit[0] != objects.extended_arg_variant) break;
    argument |= uint64_t{unit[1]} << (8 * bytes);
  }
  // Code units: from the beginning in 3.10, then backwards from the next instruction.
  constexpr uint16_t kAbsolute = 10;
  const uint64_t distance = 2 * argument, next = uint64_t{instruction} + 2;
  if (objects.minor != kAbsolute && distance > next) return {};
  const uint64_t target = objects.minor == kAbsolute ? distance : next - distance;
  // 3.10 has one instruction for both directions.
  if (target > instruction) return {};
  return static_cast<uint32_t>(target);
}

}  // namespace pyrometer::cpython
