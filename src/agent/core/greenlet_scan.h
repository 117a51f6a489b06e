// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "agent/core/stack_merge.h"
#include "cpython/greenlet_finder.h"
#include "cpython/greenlet_reader.h"
#include "cpython/greenlet_thread.h"
#include "cpython/layout.h"
#include "unwind/stack_walker.h"

namespace pyrometer::agent {

// Hands the words of a C stack to `use`, until it says true, where a greenlet begins:
// `native` ends with the frame of greenlet's library that has called the greenlet's
// function. It will need the greenlet's body again after that call, so the body's address
// is in that frame, or in a register that one of the functions called from there has
// saved; the eval loop saves them all.
// Signal-safety: async-signal-safe if the reader is.
template <cpython::MemoryReader R, class Use>
bool ScanBeginning(const R& reader, std::span<const unwind::NativeFrame> native, EvalRange eval,
                   uint64_t bytes_of_caller, Use&& use) {
  constexpr uint64_t kMaxBytes = 4096;
  if (native.empty()) return false;
  const unwind::NativeFrame& last = native.back();
  size_t first = native.size() - 1;
  while (first > 0 && !eval.Contains(native[first].pc - 1)) --first;
  const uint64_t end = (last.cfa != 0 ? last.cfa : last.sp) + bytes_of_caller;
  uint64_t begin = native[first].sp & ~uint64_t{7};
  if (end - begin > kMaxBytes) begin = end - kMaxBytes;
  for (uint64_t at = begin; at < end; at += 8) {
    uint64_t word = 0;
    if (!cpython::ReadValue(reader, at, &word)) return false;
    // What lies on the stack itself is no body, and most words there point to it.
    if (word - begin >= end - begin && use(word)) return true;
  }
  return false;
}

// Looks there for the greenlet that runs. The library is mapped at [library_begin,
// library_end).
template <cpython::MemoryReader R>
bool ScanForGreenlets(const cpython::Layout& layout, const R& reader,
                      std::span<const unwind::NativeFrame> native, EvalRange eval,
                      uint64_t library_begin, uint64_t library_end, cpython::GreenletThread* out) {
  constexpr uint64_t kBytesOfCaller = 256;  // its part may be in a function of its own
  cpython::GreenletFinder<R> finder(layout, reader, library_begin, library_end);
  return ScanBeginning(reader, native, eval, kBytesOfCaller,
                       [&](uint64_t word) { return finder.Find(word, out); });
}

// Whether it is the greenlet with `body` that begins there. The frames also have what was
// on the stack before them, so no other greenlet's body may be there.
template <cpython::MemoryReader R>
bool BeginsThere(const R& reader, const cpython::GreenletReader<R>& greenlets,
                 std::span<const unwind::NativeFrame> native, EvalRange eval, uint64_t body) {
  bool found = false;
  const bool other = ScanBeginning(reader, native, eval, 0, [&](uint64_t word) {
    found = found || word == body;
    return word != body && greenlets.IsBodyOfGreenlet(word);
  });
  return found && !other;
}

}  // namespace pyrometer::agent
