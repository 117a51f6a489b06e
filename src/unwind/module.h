// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>

namespace pyrometer::unwind {

// A loaded library or executable, as far as unwinding needs it. All three are
// addresses in the walked process; eh_frame_hdr is 0 where there is none.
struct Module {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t eh_frame_hdr = 0;

  bool Contains(uint64_t address) const { return address >= start && address < end; }
};

// Answers which module has a pc. Signal-safe when the walk runs in a handler.
template <class T>
concept ModuleFinder = requires(const T& finder, uint64_t pc, Module* module) {
  { finder.Find(pc, module) } -> std::same_as<bool>;
};

}  // namespace pyrometer::unwind
