// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// One thread state of an interpreter.
struct PythonThread {
  uint64_t tstate = 0;
  uint64_t pthread = 0;
  uint64_t native_tid = 0;  // 0 before 3.11
};

// Lists the thread states of all interpreters of the runtime at `runtime` into
// `out`; `*count` is how many were written. The lists may change while they
// are read: they are bounded, a broken tail is left out. Returns false when
// not even the first interpreter could be read.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadThreads(const Layout& layout, const R& reader, uint64_t runtime,
                 std::span<PythonThread> out, size_t* count) {
  constexpr int kMaxInterpreters = 4096;
  *count = 0;
  uint64_t interpreter = 0;
  if (!ReadValue(reader, runtime + layout.runtime.interpreters_head, &interpreter)) return false;
  for (int i = 0; interpreter != 0 && i < kMaxInterpreters; ++i) {
    uint64_t tstate = 0;
    if (!ReadValue(reader, interpreter + layout.interpreter.threads_head, &tstate)) return i > 0;
    while (tstate != 0 && *count < out.size()) {
      PythonThread thread{.tstate = tstate};
      uint64_t next = 0;
      uint64_t owner = 0;
      const bool readable =
          ReadValue(reader, tstate + layout.thread.next, &next) &&
          ReadValue(reader, tstate + layout.thread.interpreter, &owner) &&
          ReadValue(reader, tstate + layout.thread.thread_id, &thread.pthread) &&
          (layout.thread.native_thread_id == kAbsent ||
           ReadValue(reader, tstate + layout.thread.native_thread_id, &thread.native_tid));
      // A freed and reused thread state no longer names this interpreter.
      if (!readable || owner != interpreter) break;
      out[(*count)++] = thread;
      tstate = next;
    }
    if (!ReadValue(reader, interpreter + layout.interpreter.next, &interpreter)) break;
  }
  return true;
}

}  // namespace pyrometer::cpython
