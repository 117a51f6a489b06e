// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <vector>

namespace pyrometer::symbolize {

// The functions of one module's symbol tables, sorted, so that naming an
// address is a binary search. Names are borrowed from the Dwfl_Module.
//
// Thread-safety: immutable after construction.
class SymbolTable {
 public:
  // All addresses are those of the file: `bias` is what libdwfl added to them.
  SymbolTable(Dwfl_Module* module, uint64_t bias);

  // The mangled name of the function that has `address`, or null.
  const char* Find(uint64_t address) const;

 private:
  struct Function {
    uint64_t start = 0;
    uint64_t end = 0;
    bool sized = false;  // `end` is the symbol's own, not its section's
    uint8_t rank = 0;    // of several names of one start, the lowest is shown
    const char* name = nullptr;
  };
  static bool IsBetterName(const Function& a, const Function& b);
  void Add(const GElf_Sym& symbol, uint64_t address, const char* name, uint64_t section_end);
  void Sort();

  std::vector<Function> functions_;  // by start, one for each
};

}  // namespace pyrometer::symbolize
