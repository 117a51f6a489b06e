// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/code_extent.h"
#include "cpython/frame_image.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// The memory in which a thread of CPython 3.11+ keeps its frames: a list of
// chunks that frames fill without holes. Fed with the thread-owned frames of a
// walk, youngest first, it tells whether they tile that memory:
//  1. every frame lies in a chunk, below the chunk's live top;
//  2. between two frames of the chain, above the youngest and below the oldest,
//     there is nothing but whole frames that are not linked: pushed and not yet
//     started, or finished and being cleared (a finalizer may run meanwhile).
//     None of them may be one that runs;
//  3. the last chunk is used up when the chain ends.
// So a chain that skips or repeats a running frame, or starts at a stale one,
// does not pass. From 3.13 the thread state names the youngest frame at every
// instant, and what lies above it is not looked at: it may have no content yet.
// Of a stack that stands still, nothing is unlinked but the code that the
// interpreter pushes between a class call and its __init__ (CodeExtent).
//
// Lives on the stack of one walk. Signal-safety: async-signal-safe if the
// reader is.
template <MemoryReader R, ExtentSource S>
class DataStack {
 public:
  enum class Of { kThread, kStoppedStack };

  DataStack(const Layout& layout, const R& reader, const S& source, Of of = Of::kThread)
      : layout_(layout), reader_(reader), source_(source), of_(of) {}

  bool Open(uint64_t tstate) {
    uint64_t chunk = 0;
    uint64_t top = 0;
    if (!ReadValue(reader_, tstate + layout_.thread.datastack_chunk, &chunk) ||
        !ReadValue(reader_, tstate + layout_.thread.datastack_top, &top)) {
      return false;
    }
    return Open(chunk, top);
  }
  bool Open(uint64_t chunk, uint64_t top) { return chunk == 0 || Enter(chunk, top); }

  // The next frame towards the root, `image` at `frame`. False when it breaks the tiling.
  bool Accept(uint64_t frame, const FrameImage& image, const CodeExtent& extent) {
    while (!Holds(frame)) {
      if (chunk_ == 0 || !MayLieBetween(bottom_, end_) || !EnterPrevious()) return false;
    }
    const uint64_t size = extent.frame_size;
    if (end_ - frame < size || !MayLieBetween(frame + size, end_)) return false;
    if (frame + size == end_) NoteYoungest(image, extent);
    end_ = frame;
    above_leaf_ = no_hole_ = false;
    return true;
  }

  // Whether the next frame must lie directly below the last one.
  void ExpectNoHole(bool none) { no_hole_ = none; }

  // Call after the root-most frame.
  bool Finish() {
    while (chunk_ != 0) {
      if (!MayLieBetween(bottom_, end_)) return false;
      if (previous_ == 0) return true;
      if (!EnterPrevious()) return false;
    }
    return true;
  }

  // Whether the youngest frame of all has come to its first instruction.
  // Call after Finish().
  bool youngest_has_begun() const { return youngest_has_begun_; }

 private:
  struct ChunkHeader {
    uint64_t previous;
    uint64_t size;  // of the whole chunk, bytes
    uint64_t top;   // in words from the data; stored when the next chunk is begun
  };
  static constexpr uint64_t kMaxChunkSize = uint64_t{1} << 32;
  // A frame being cleared, and one being pushed by what its objects do then.
  static constexpr int kMaxUnlinked = 2;

  bool Holds(uint64_t frame) const { return chunk_ != 0 && bottom_ <= frame && frame < end_; }

  bool Enter(uint64_t chunk, uint64_t top) {
    ChunkHeader header;
    if (chunk % 8 != 0 || !reader_.Read(chunk, &header, sizeof header)) return false;
    if (header.size < sizeof header || header.size > kMaxChunkSize) return false;
    const uint64_t data = chunk + sizeof header;
    if (top == 0) {
      if (header.top > header.size / 8) return false;
      top = data + header.top * 8;
    }
    // The first word of the first chunk stays unused, so that popping the last
    // frame never frees that chunk.
    bottom_ = header.previous == 0 ? data + 8 : data;
    if (top < bottom_ || top > chunk + header.size || top % 8 != 0) return false;
    chunk_ = chunk;
    previous_ = header.previous;
    end_ = top;
    return true;
  }

  bool EnterPrevious() { return previous_ != 0 && previous_ != chunk_ && Enter(previous_, 0); }

  bool MayLieBetween(uint64_t begin, uint64_t end) {
    if (above_leaf_ && layout_.minor >= 13) return true;
    return no_hole_ ? begin == end : OnlyUnlinked(begin, end);
  }

  bool OnlyUnlinked(uint64_t begin, uint64_t end) {
    for (int i = 0; begin != end; ++i) {
      FrameImage image;
      CodeExtent extent;
      if (i == kMaxUnlinked || end - begin < layout_.frame.specials_size ||
          !image.Load(reader_, begin, layout_.frame.specials_size) ||
          !source_.Find(FrameCode(layout_, image), &extent) || extent.frame_size > end - begin ||
          !IsUnlinked(image, begin, extent)) {
        return false;
      }
      begin += extent.frame_size;
      if (begin == end) NoteYoungest(image, extent);
    }
    return true;
  }

  void NoteYoungest(const FrameImage& image, const CodeExtent& extent) {
    if (youngest_noted_) return;
    youngest_noted_ = true;
    youngest_has_begun_ = image.Get<uint64_t>(layout_.frame.instruction) + 2 != extent.bytecode;
  }

  // Up to 3.12 a frame keeps the top of its stack to itself while it runs. One that has called
  // another does not, but that one then lies above it.
  bool IsUnlinked(const FrameImage& image, uint64_t frame, const CodeExtent& extent) const {
    if (of_ == Of::kStoppedStack) return extent.is_trampoline;
    if (layout_.minor <= 12) return image.Get<int32_t>(layout_.frame.stack_top) != -1;
    if (image.Get<uint64_t>(layout_.frame.instruction) == extent.bytecode) return true;
    if (layout_.minor == 13) return image.Get<int32_t>(layout_.frame.stack_top) == 0;
    return image.Get<uint64_t>(layout_.frame.stack_top) == frame + layout_.frame.specials_size;
  }

  const Layout& layout_;
  const R& reader_;
  const S& source_;
  const Of of_;
  uint64_t chunk_ = 0;
  uint64_t previous_ = 0;
  uint64_t bottom_ = 0;
  uint64_t end_ = 0;  // where the next older frame must end
  bool above_leaf_ = true;
  bool no_hole_ = false;
  bool youngest_noted_ = false;
  bool youngest_has_begun_ = true;
};

}  // namespace pyrometer::cpython
