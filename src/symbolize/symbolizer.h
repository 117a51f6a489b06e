// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pyrometer::symbolize {

class ElfModule;

// How much to find out. Names come from the symbol table; lines and inlined
// functions need the debug information, which can take long to unpack.
enum class Detail { kNames, kLines };

// One function at an address. Of several, the first is the innermost inlined
// one and the last the function whose code it is.
struct SymbolLine {
  std::string function;  // demangled
  std::string file;      // empty: not known
  uint32_t line = 0;     // 0: not known

  friend bool operator==(const SymbolLine&, const SymbolLine&) = default;
};

// Names addresses of native code after a run. Opens each file once and keeps
// it open; debug information is looked for on this machine only, never on the
// network, and read only where an address asks for it.
//
// Thread-safety: none; one owner.
class Symbolizer {
 public:
  Symbolizer();
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // What is at `address` of the file `path`, an address as in the file's own
  // headers (no load bias). For a return address the call before it is meant.
  // Empty when the file has no name for it. An Error, the same for every
  // address of that file, when it cannot be read or its build id is not
  // `build_id` (raw bytes; empty: not checked), in which case its names would
  // be wrong ones.
  base::Result<std::vector<SymbolLine>> Lookup(const std::string& path, std::string_view build_id,
                                               uint64_t address, bool is_return_address,
                                               Detail detail = Detail::kLines);

 private:
  using Key = std::pair<std::string, std::string>;  // path, build id
  std::map<Key, base::Result<std::unique_ptr<ElfModule>>> modules_;
};

}  // namespace pyrometer::symbolize
