// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "cpython/dict_table.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/name_lookup.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// The main interpreter of the runtime at `runtime`; 0 when there is none yet.
// Signal-safety (all functions): async-signal-safe if the reader is.
template <MemoryReader R>
uint64_t MainInterpreter(const Layout& layout, const R& reader, uint64_t runtime) {
  constexpr int kMaxInterpreters = 4096;
  uint64_t interpreter = 0;
  if (!ReadValue(reader, runtime + layout.runtime.interpreters_head, &interpreter)) return 0;
  for (int i = 0; interpreter != 0 && i < kMaxInterpreters; ++i) {
    int64_t id = 0;
    if (!ReadValue(reader, interpreter + layout.interpreter.id, &id)) return 0;
    if (id == 0) return interpreter;
    if (!ReadValue(reader, interpreter + layout.interpreter.next, &interpreter)) return 0;
  }
  return 0;
}

// The entries of sys.modules of an interpreter.
template <MemoryReader R>
bool ReadModules(const ObjectLayout& objects, const R& reader, uint64_t runtime,
                 uint64_t interpreter, DictTable* out) {
  constexpr uint64_t kMaxInterpreterSize = 16 << 20;
  uint64_t offset = objects.interpreter_modules;
  if (objects.modules_entry != kAbsent &&
      !ReadValue(reader, runtime + objects.modules_entry, &offset)) {
    return false;
  }
  uint64_t dict = 0;
  return offset < kMaxInterpreterSize && ReadValue(reader, interpreter + offset, &dict) &&
         ReadDict(objects, reader, dict, out);
}

// The dictionary of the globals of module `name`, one of `modules`.
template <MemoryReader R>
bool FindModule(const Layout& layout, const ObjectLayout& objects, const R& reader,
                const DictTable& modules, std::string_view name, uint64_t* globals) {
  uint64_t module = 0;
  return FindName(layout, reader, modules, name, &module) && module % 8 == 0 &&
         ReadValue(reader, module + objects.first_field, globals) && *globals != 0;
}

}  // namespace pyrometer::cpython
