// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpython/code_extent.h"

namespace pyrometer::agent {

// What one thread remembers of the code objects on its last stacks, so that a
// walk need not look at them again: reading a code object that may not be one
// costs a system call for each of its pages (sigsafe/local_reader.h), and most
// of a stack is the same as 4 ms ago.
//
// An entry can outlive its code object. Whoever uses it compares `identity`
// afterwards with the object that is there now. Direct mapped; zeroed memory is
// an empty memo.
//
// Ownership: a thread's record. Thread-safety: only that thread.
// Signal-safety: safe.
class CodeMemo {
 public:
  struct alignas(64) Entry {
    uint64_t code;  // 0: empty
    uint64_t identity;
    cpython::CodeExtent extent;
    uint32_t slot;  // where it is announced
  };

  // Null when nothing is remembered of `code`.
  const Entry* Find(uint64_t code) const {
    const Entry& entry = entries_[IndexOf(code)];
    return entry.code == code && code != 0 ? &entry : nullptr;
  }
  void Put(const Entry& entry) { entries_[IndexOf(entry.code)] = entry; }

  void Clear() {
    for (Entry& entry : entries_) entry.code = 0;
  }

 private:
  static constexpr int kIndexBits = 9;

  static size_t IndexOf(uint64_t code) { return (code * 0x9E3779B97F4A7C15u) >> (64 - kIndexBits); }

  Entry entries_[size_t{1} << kIndexBits];
};
static_assert(sizeof(CodeMemo::Entry) == 64);

// The extents of a walk: those in the memo, and for other code objects what
// `reader` finds there. Lives on the stack of one walk.
template <cpython::MemoryReader R>
class MemoExtents {
 public:
  MemoExtents(const CodeMemo& memo, const cpython::Layout& layout, const R& reader)
      : memo_(memo), fresh_(layout, reader) {}

  bool Find(uint64_t code, cpython::CodeExtent* out) const {
    if (const CodeMemo::Entry* entry = memo_.Find(code)) {
      *out = entry->extent;
      // Its identity is compared when the walk is done; the cache misses of all
      // code objects then have passed side by side.
      const auto* object =
          reinterpret_cast<const char*>(code);  // NOLINT(performance-no-int-to-ptr)
      __builtin_prefetch(object);
      __builtin_prefetch(object + 64);
      __builtin_prefetch(object + 128);
      return true;
    }
    return fresh_.Find(code, out);
  }

 private:
  const CodeMemo& memo_;
  cpython::FreshExtents<R> fresh_;
};

}  // namespace pyrometer::agent
