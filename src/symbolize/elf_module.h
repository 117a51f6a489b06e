// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "symbolize/debug_info.h"
#include "symbolize/symbol_table.h"
#include "symbolize/symbolizer.h"

namespace pyrometer::symbolize {

// One ELF file together with its separate debug file, if there is one. The
// bytes are not trusted: libelf and libdw do all the parsing.
//
// Thread-safety: none; owned by a Symbolizer.
class ElfModule {
 public:
  // Opens `path` if its build id is `build_id` (empty: whatever it is), else
  // the debug file that is installed under that id.
  static base::Result<std::unique_ptr<ElfModule>> Open(const std::string& path,
                                                       std::string_view build_id);
  ~ElfModule();
  ElfModule(const ElfModule&) = delete;
  ElfModule& operator=(const ElfModule&) = delete;

  // The file at `path`, whatever its build id; null when it is not readable.
  static std::unique_ptr<ElfModule> OpenFile(const std::string& path);

  // What is at `address`, innermost first; empty when nothing is known.
  std::vector<SymbolLine> Lookup(uint64_t address, Detail detail);
  // The name of the function at `address` as the linker sees it, or empty.
  std::string_view SymbolAt(uint64_t address);
  // The address of a section, as Lookup takes it. 0: there is no such section.
  uint64_t SectionAddress(size_t index) const;

 private:
  ElfModule(Dwfl* dwfl, Dwfl_Module* module, uint64_t bias)
      : dwfl_(dwfl), module_(module), bias_(bias) {}
  void ReadDebugInfo();

  Dwfl* dwfl_;
  Dwfl_Module* module_;
  uint64_t bias_;  // libdwfl's address - the file's
  std::optional<SymbolTable> symbols_;
  bool debug_info_read_ = false;
  uint64_t debug_offset_ = 0;  // the debug file's address - the file's; 0 unless prelinked
  std::optional<DebugInfo> debug_info_;
};

}  // namespace pyrometer::symbolize
