// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/instance.h"
#include "cpython/integer.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// The queue of callbacks that an asyncio event loop has ready to run.
struct ReadyQueue {
  uint64_t size = 0;
  uint64_t changes = 0;  // how often something was put in or taken out

  // How many callbacks were begun between an earlier look and this one. Each
  // was taken out, once; the rest of the changes put something in.
  uint64_t BegunSince(const ReadyQueue& earlier) const {
    return (changes - earlier.changes - (size - earlier.size)) / 2;
  }
};

// Where the loop at `loop` keeps that queue. False for a loop that is not one of
// asyncio's own, like uvloop's.
// Signal-safety (all functions): async-signal-safe if the reader is.
template <MemoryReader R>
bool FindReadyQueue(const Layout& layout, const ObjectLayout& objects, const R& reader,
                    uint64_t loop, uint64_t* queue) {
  return ReadAttribute(layout, objects, reader, loop, "_ready", queue) && *queue != 0;
}

// A collections.deque: its size, blocks, indices into these, and a counter of
// all changes. False when there is none at `queue`.
template <MemoryReader R>
bool ReadReadyQueue(const Layout& layout, const R& reader, uint64_t queue, ReadyQueue* out) {
  constexpr uint64_t kBlockItems = 64;
  struct Deque {
    uint64_t size;
    uint64_t left_block;
    uint64_t right_block;
    uint64_t left_index;
    uint64_t right_index;
    uint64_t changes;
  } deque;
  if (!ReadValue(reader, queue + layout.object.var_size, &deque) ||
      deque.left_index >= kBlockItems || deque.right_index >= kBlockItems ||
      deque.changes < deque.size) {
    return false;
  }
  *out = {deque.size, deque.changes};
  return true;
}

// The thread (pthread_self) that runs the loop; false while it is not running.
template <MemoryReader R>
bool ReadLoopThread(const Layout& layout, const ObjectLayout& objects, const R& reader,
                    uint64_t loop, uint64_t* pthread) {
  uint64_t number = 0;
  return ReadAttribute(layout, objects, reader, loop, "_thread_id", &number) &&
         ReadInteger(layout, objects, reader, number, pthread);
}

}  // namespace pyrometer::cpython
