// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "cpython/frame_walk.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// The coroutine that a walked stack runs for: the place of the root-most frame in
// `frames`, leaf first, that belongs to a coroutine; frames.size() if none does.
// For a stack inside of an event loop that is the coroutine of the running task.
// `layout.type_coroutine` must be known.
// Any thread. Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
size_t RootCoroutine(const Layout& layout, const R& reader, std::span<const PythonFrame> frames) {
  for (size_t i = frames.size(); i-- > 0;) {
    uint64_t type = 0;
    if (frames[i].generator != 0 &&
        ReadValue(reader, frames[i].generator + layout.object.type, &type) && type != 0 &&
        type == layout.type_coroutine) {
      return i;
    }
  }
  return frames.size();
}

}  // namespace pyrometer::cpython
