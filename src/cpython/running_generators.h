// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// Whether `type` is that of generators, coroutines or asynchronous generators, whose objects
// embed their frame.
inline bool IsGeneratorType(const Layout& layout, uint64_t type) {
  return type != 0 && (type == layout.type_generator || type == layout.type_coroutine ||
                       type == layout.type_async_generator);
}

// The generators that a thread of CPython 3.11 or 3.12 runs, innermost first, as its chain of
// exception states tells: a generator links its own before it is entered and unlinks it after
// it was left. Unlike the _PyCFrame of a new activation, that chain is whole at every instant,
// so a walk that passes by one of them was misled. Only the innermost may be missing: it is
// about to be entered, or was just left.
//
// What other modules link there (Cython has generators of its own) does not count. A frame
// whose generator is not linked is no contradiction: throw() does not link those which only
// hand the exception on.
//
// Lives on the stack of one walk. Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
class RunningGenerators {
 public:
  RunningGenerators(const Layout& layout, const R& reader) : layout_(layout), reader_(reader) {}

  bool Open(uint64_t tstate) {
    if (layout_.thread.exception_state == kAbsent || layout_.type_generator == 0) return true;
    uint64_t state = 0;
    return ReadValue(reader_, tstate + layout_.thread.exception_state, &state) &&
           Find(state, &next_);
  }

  // The walk has come to the frame of `generator`. False when the chain cannot be read.
  bool Meet(uint64_t generator) {
    if (next_.generator == 0) return true;
    if (generator == next_.generator) {
      met_ = true;
      return Find(next_.outer, &next_);
    }
    if (met_) return true;
    Link second;
    if (!Find(next_.outer, &second)) return false;
    if (generator != second.generator) return true;
    met_ = innermost_missing_ = true;
    return Find(second.outer, &next_);
  }

  // Call after the root-most frame. Whether none was left out.
  bool Finish(bool innermost_may_be_missing) {
    if (!met_ && next_.generator != 0) {
      innermost_missing_ = true;
      if (!Find(next_.outer, &next_)) return false;
    }
    return next_.generator == 0 && (innermost_may_be_missing || !innermost_missing_);
  }

 private:
  struct Link {
    uint64_t generator = 0;  // 0: the chain has ended
    uint64_t outer = 0;      // the exception state behind its own
  };
  static constexpr int kMaxForeign = 4096;

  // The first generator in the chain from `state` on.
  bool Find(uint64_t state, Link* out) const {
    for (int i = 0; i < kMaxForeign; ++i) {
      if (state == 0) {
        *out = {};
        return true;
      }
      const uint64_t object = state - layout_.generator.exception_state;
      uint64_t outer = 0, type = 0;
      if (!ReadValue(reader_, object + layout_.generator.outer_exception_state, &outer))
        return false;
      if (ReadValue(reader_, object + layout_.object.type, &type) &&
          IsGeneratorType(layout_, type)) {
        *out = {object, outer};
        return true;
      }
      state = outer;
    }
    return false;
  }

  const Layout& layout_;
  const R& reader_;
  Link next_;         // the next that the walk should meet
  bool met_ = false;  // any of them
  bool innermost_missing_ = false;
};

}  // namespace pyrometer::cpython
