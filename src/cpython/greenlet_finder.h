// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/greenlet_reader.h"
#include "cpython/greenlet_thread.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// Finds the greenlets of a thread from the body of the running one (greenlet_thread.h).
// The places of the fields follow from what points where:
//  1. `self`: a greenlet whose body is this one;
//  2. `main_greenlet`: another greenlet, in whose body `thread_state` is an object that
//     begins with that greenlet and, as the current one, with the one we began with;
//  3. `stack_stop`: in the body of the main greenlet, all ones.
// The others stand at a fixed distance from those in every version: the stack's start,
// stop, copy, saved size and previous stack, then context and top frame; main greenlet,
// function and parent.
//
// Lives on a caller's stack. Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
class GreenletFinder {
 public:
  GreenletFinder(const Layout& layout, const R& reader, uint64_t library_begin,
                 uint64_t library_end)
      : read_(layout, reader, found_) {
    found_.library_begin = library_begin;
    found_.library_end = library_end;
  }

  // Whether `body` is that of the thread's running greenlet.
  bool Find(uint64_t body, GreenletThread* out) {
    if (body == 0 || !read_.IsBody(body)) return false;
    const uint64_t greenlet = FindSelf(body);
    if (greenlet == 0) return false;
    for (uint32_t offset = 8; offset < kMaxBody; offset += 8) {
      const uint64_t main = read_.Word(body + offset);
      if (main == greenlet || !FindState(main, greenlet)) continue;
      found_.main = main;
      found_.main_greenlet = offset;
      found_.parent = offset + 2 * 8;
      if (offset <= found_.top_frame || read_.Body(read_.Parent(greenlet)) == 0) return false;
      *out = found_;
      return true;
    }
    return false;
  }

 private:
  static constexpr uint32_t kMaxBody = 48 * 8;

  uint64_t FindSelf(uint64_t body) {
    for (found_.self = 8; found_.self < kMaxBody; found_.self += 8) {
      const uint64_t greenlet = read_.Word(body + found_.self);
      if (read_.PossibleBody(greenlet) == body) return greenlet;
    }
    return 0;
  }

  bool FindState(uint64_t main, uint64_t current) {
    const uint64_t body = read_.Body(main);
    if (body == 0 || !FindStack(body)) return false;
    for (uint32_t offset = found_.top_frame + 8; offset < kMaxBody; offset += 8) {
      found_.thread_state = offset;
      found_.state = read_.Word(body + offset);
      if (found_.state != 0 && read_.Word(found_.state) == main &&
          read_.Word(found_.state + 8) == current)
        return true;
    }
    return false;
  }

  bool FindStack(uint64_t main_body) {
    for (uint32_t offset = 2 * 8; offset < kMaxBody; offset += 8) {
      if (read_.Word(main_body + offset) != GreenletReader<R>::kMainStackStop) continue;
      found_.stack_stop = offset;
      found_.stack_start = offset - 8;
      found_.top_frame = offset + 5 * 8;
      return true;
    }
    return false;
  }

  GreenletThread found_{};
  GreenletReader<R> read_;  // with found_ as far as it is filled
};

}  // namespace pyrometer::cpython
