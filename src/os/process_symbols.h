// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "os/elf_module.h"
#include "os/remote_memory.h"

namespace pyrometer::os {

// The symbols that the program of another process and its libraries export, as they are loaded
// when this is made: read from its memory, in the order of their addresses, which has the program
// before its libraries. Satisfies cpython::SymbolSource.
//
// Thread-safety: one owner. Lifetime: `memory` outlives it.
class ProcessSymbols {
 public:
  ProcessSymbols(pid_t pid, const RemoteMemory& memory);

  // 0: there is no such symbol.
  uint64_t Address(const char* name) const;
  uint64_t Size(const char* name) const;

  // The variables of the module that has `name`; empty when there is none.
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  Range VariablesBeside(const char* name) const;

 private:
  using Module = ElfModule<RemoteMemory>;

  std::vector<Module> modules_;
};

}  // namespace pyrometer::os
