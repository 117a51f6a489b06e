// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cpython/instance.h"
#include "cpython/integer.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/modules.h"
#include "cpython/name_lookup.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// What the threading module calls a thread.
struct ThreadName {
  uint64_t pthread = 0;  // as PythonThread::pthread
  uint64_t name = 0;     // address of a str
};

// Finds the dictionary in which the threading module of the main interpreter keeps its
// threads. Returns 0 when threading is not imported, or nothing was readable. That takes a
// search through all modules; the dictionary stays the same as long as the module does.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
uint64_t FindThreadDict(const Layout& layout, const R& reader, uint64_t runtime) {
  const ObjectLayout* objects = FindObjectLayout(layout.minor, layout.free_threaded);
  if (objects == nullptr) return 0;
  const uint64_t interpreter = MainInterpreter(layout, reader, runtime);
  DictTable modules;
  uint64_t globals = 0;
  uint64_t dict = 0;
  if (interpreter == 0 || !ReadModules(*objects, reader, runtime, interpreter, &modules) ||
      !FindModule(layout, *objects, reader, modules, "threading", &globals) ||
      !FindInDict(layout, *objects, reader, globals, "_active", &dict)) {
    return 0;
  }
  return dict;
}

// Lists the names of the threads in `dict`, of FindThreadDict, into `out`; `*count` is how
// many were written. The dictionary may change while it is read: names of threads that come
// or go may be missing. Returns false when it was not readable.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadThreadNames(const Layout& layout, const R& reader, uint64_t dict,
                     std::span<ThreadName> out, size_t* count) {
  *count = 0;
  const ObjectLayout* objects = FindObjectLayout(layout.minor, layout.free_threaded);
  DictTable active;
  if (objects == nullptr || !ReadDict(*objects, reader, dict, &active)) return false;
  return VisitEntries(reader, active, 0, [&](uint64_t key, uint64_t thread) {
    ThreadName found;
    if (*count == out.size()) return false;
    if (ReadInteger(layout, *objects, reader, key, &found.pthread) &&
        ReadAttribute(layout, *objects, reader, thread, "_name", &found.name)) {
      out[(*count)++] = found;
    }
    return true;
  });
}

}  // namespace pyrometer::cpython
