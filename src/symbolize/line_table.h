// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pyrometer::symbolize {

// The lines of one compilation unit: what its line program says (DWARF 2 to 5).
//
// libdw reads such programs, too, and is used for all else; but it keeps every row with all its
// columns, and sorts them. Naming the frames of a run of uvloop, whose one unit has 2 MB of them,
// took 90 ms that way, more than all else that the collector did in that run
// (docs/design/0003-native-stacks.md). A test compares both, row by row.
//
// Thread-safety: constant once it is made.
class LineTable {
 public:
  struct Place {
    uint32_t file;  // for FileName
    uint32_t line;
  };

  // Nothing where the file has its sections compressed or the program is not understood:
  // libdw may do better.
  static std::optional<LineTable> Read(Dwarf_Die unit);

  // Nothing: no line has made this code.
  std::optional<Place> Find(uint64_t address) const;
  // As the compiler had it, perhaps relative to its folder; empty: there is no such file.
  std::string FileName(uint64_t file) const;

 private:
  friend class LineProgram;

  struct Row {
    uint64_t address;
    uint32_t file;  // kEnd: behind a piece of code
    uint32_t line;
  };
  static constexpr uint32_t kEnd = 0xffffffff;

  std::vector<Row> rows_;  // by address
  std::vector<std::string> files_;
};

}  // namespace pyrometer::symbolize
