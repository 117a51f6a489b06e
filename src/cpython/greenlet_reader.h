// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/frame_walk.h"
#include "cpython/greenlet_thread.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// Reads the greenlets of a thread. Believes nothing that does not prove itself: a
// greenlet and its body point to each other, and the body's virtual table lies in
// greenlet's library.
//
// Lives on a caller's stack. Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
class GreenletReader {
 public:
  GreenletReader(const Layout& layout, const R& reader, const GreenletThread& thread)
      : layout_(layout), reader_(reader), thread_(thread) {}

  // The word at `address`; 0 when there is none.
  uint64_t Word(uint64_t address) const {
    uint64_t value = 0;
    return address % 8 == 0 && ReadValue(reader_, address, &value) ? value : 0;
  }

  bool IsBody(uint64_t body) const {
    const uint64_t table = Word(body);
    return table >= thread_.library_begin && table < thread_.library_end;
  }

  // What a greenlet would have as its body.
  uint64_t PossibleBody(uint64_t greenlet) const {
    return greenlet == 0 ? 0 : Word(greenlet + HeaderSize() + 2 * 8);  // weak references, dict
  }

  // 0: it is no greenlet.
  uint64_t Body(uint64_t greenlet) const {
    const uint64_t body = PossibleBody(greenlet);
    return body != 0 && IsBody(body) && Word(body + thread_.self) == greenlet ? body : 0;
  }

  bool IsBodyOfGreenlet(uint64_t body) const {
    return IsBody(body) && PossibleBody(Word(body + thread_.self)) == body;
  }

  // Whether the thread's own objects still are where they were found.
  bool Holds() const {
    const uint64_t body = Body(thread_.main);
    return body != 0 && Word(body + thread_.thread_state) == thread_.state &&
           Word(body + thread_.stack_stop) == kMainStackStop && Word(thread_.state) == thread_.main;
  }

  // The greenlet to which the C stack [stack_pointer, stack_end) belongs; 0 when that is
  // the main greenlet, and when it is about to start or to end. In the middle of a
  // switch it may be the one that is left, or the next one.
  uint64_t Current(uint64_t stack_pointer, uint64_t stack_end) const {
    const uint64_t greenlet = Word(thread_.state + 8);
    const uint64_t body = Body(greenlet);
    if (greenlet == thread_.main || body == 0) return 0;
    const uint64_t stop = Word(body + thread_.stack_stop);
    const bool runs =
        Word(body + thread_.main_greenlet) == thread_.main && Word(body + thread_.stack_start) != 0;
    return runs && stop > stack_pointer && stop < stack_end ? greenlet : 0;
  }

  // The parent of a greenlet that is not the main one; 0: cannot be told.
  uint64_t Parent(uint64_t greenlet) const {
    const uint64_t body = Body(greenlet);
    if (body == 0) return 0;
    const uint64_t main = Word(body + thread_.main_greenlet);
    return main == thread_.main || main == 0 ? Word(body + thread_.parent) : 0;
  }

  // Whether a greenlet has started and not ended.
  bool HasStack(uint64_t greenlet) const {
    const uint64_t body = Body(greenlet);
    return body != 0 && Word(body + thread_.stack_start) != 0;
  }

  // Where a greenlet stands. A frame of 0: nowhere, it runs, has not started or has
  // ended. False: cannot be told.
  bool Stack(uint64_t greenlet, StoppedStack* out) const {
    const uint64_t body = Body(greenlet);
    if (body == 0) return false;
    const uint64_t frame = Word(body + thread_.top_frame);
    *out = {.frame = frame, .chunk = 0, .top = 0};
    if (frame == 0) return true;
    if (layout_.type_frame != 0 && Word(frame + layout_.object.type) != layout_.type_frame)
      return false;
    if (layout_.frame.owner == kAbsent) return true;
    // 3.11 and later: behind the frame object, the body has the frame itself and its
    // data stack; between them, what the version of Python makes it save.
    constexpr uint32_t kMaxWordsBetween = 12;
    out->frame = Word(frame + HeaderSize() + 8);
    if (out->frame == 0) return false;
    for (uint32_t i = 1; i <= kMaxWordsBetween; ++i) {
      const uint64_t at = body + thread_.top_frame + uint64_t{i} * 8;
      if (Word(at) != out->frame) continue;
      out->chunk = Word(at + 8);
      out->top = Word(at + 16);
      return true;
    }
    return false;
  }

  static constexpr uint64_t kMainStackStop = ~uint64_t{0};

 private:
  uint64_t HeaderSize() const { return layout_.object.type + 8; }

  const Layout& layout_;
  const R& reader_;
  const GreenletThread& thread_;
};

}  // namespace pyrometer::cpython
