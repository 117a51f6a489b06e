// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "symbolize/line_table.h"
#include "symbolize/symbolizer.h"

namespace pyrometer::symbolize {

// Lines and inlined functions from DWARF. Knows the extents of all compilation
// units after the first look-up; a unit's functions are read when an address
// falls into it, and so are its lines. The Dwarf is borrowed.
//
// Thread-safety: none; look-ups fill caches.
class DebugInfo {
 public:
  explicit DebugInfo(Dwarf* dwarf) : dwarf_(dwarf) {}

  // The functions at `address` (of the file), innermost first. A unit of
  // assembly gives one entry with a line and no function. Empty: not covered.
  std::vector<SymbolLine> Lookup(uint64_t address);

 private:
  struct Function {
    uint64_t start;
    uint64_t end;
    Dwarf_Die die;
  };
  struct Unit {
    Dwarf_Die die;                    // has the line table
    Dwarf_Die content;                // has the functions; differs for split DWARF
    bool read = false;                // what follows
    std::vector<Function> functions;  // by start
    std::optional<LineTable> lines;   // empty: libdw is asked
  };
  struct Extent {
    uint64_t start;
    uint64_t end;
    size_t unit;
  };

  void ReadUnits();
  Unit* UnitOf(uint64_t address);
  void Read(Unit& unit);
  void CollectFunctions(Dwarf_Die parent, int depth, std::vector<Function>& functions);
  const Function* FunctionOf(const Unit& unit, uint64_t address) const;
  static void SetLine(const Unit& unit, uint64_t address, SymbolLine* out);
  // The place in the source to which `inlined` was inlined.
  static void SetCallSite(Dwarf_Die inlined, const Unit& unit, SymbolLine* out);

  Dwarf* dwarf_;
  bool units_read_ = false;
  std::vector<Unit> units_;
  std::vector<Extent> extents_;  // by start
};

}  // namespace pyrometer::symbolize
