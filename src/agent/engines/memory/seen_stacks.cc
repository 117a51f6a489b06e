// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/seen_stacks.h"

namespace pyrometer::agent {

// Fills in the words of one stack. What it is told to add is read now, fault-safe.
class SeenStacks::Writer {
 public:
  Writer(Word* words, const sigsafe::LocalReader& reader) : words_(words), reader_(reader) {}

  bool Add8(uint64_t address, uint64_t* value) {
    if (count_ == kMaxWords || address % 8 != 0 || !reader_.Read(address, value, 8)) return false;
    words_[count_++] = {address, *value};
    return true;
  }
  bool Expect8(uint64_t address, uint64_t value) {
    uint64_t now = 0;
    return Add8(address, &now) && now == value;
  }
  bool Add8(uint64_t address) {
    uint64_t ignored;
    return Add8(address, &ignored);
  }
  bool Add4(uint64_t address) {
    uint32_t value = 0;
    if (count_ == kMaxWords || address % 4 != 0 || !reader_.Read(address, &value, 4)) return false;
    words_[count_++] = {address + 1, value};
    return true;
  }

  uint32_t count() const { return count_; }

 private:
  Word* words_;
  const sigsafe::LocalReader& reader_;
  uint32_t count_ = 0;
};

namespace {

using cpython::kAbsent;
using cpython::Layout;
using cpython::PythonFrame;

// From the thread state to the frame that runs.
template <class Writer>
bool AddLeaf(Writer& words, const Layout& layout, uint64_t tstate, uint64_t* leaf) {
  if (!words.Add8(tstate + layout.thread.frame, leaf)) return false;
  return layout.cframe.current_frame == kAbsent ||
         words.Add8(*leaf + layout.cframe.current_frame, leaf);
}

template <class Writer>
bool AddFrame(Writer& words, const Layout& layout, const PythonFrame& frame) {
  const bool is_object = layout.frame.owner == kAbsent;
  const uint64_t instruction = frame.frame + layout.frame.instruction;
  const uint32_t name = layout.code.qualname != kAbsent ? layout.code.qualname : layout.code.name;
  return (is_object ? words.Add4(instruction) : words.Add8(instruction)) &&
         words.Add8(frame.frame + layout.frame.code) &&
         words.Add8(frame.code + layout.code.filename) && words.Add8(frame.code + name) &&
         words.Add8(frame.code + layout.code.line_table) &&
         words.Add4(frame.code + layout.code.first_line);
}

}  // namespace

uint32_t SeenStacks::Keep(const Layout& layout, const sigsafe::LocalReader& reader, uint64_t frame,
                          uint64_t tstate, uint32_t generation, std::span<const PythonFrame> python,
                          std::span<const unwind::NativeFrame> native) {
  if (generation != generation_) Clear();
  generation_ = generation;
  const uint32_t i = next_;
  frames_[i] = 0;
  Writer words(words_[i], reader);
  if (tstate != 0) {
    // Frames that are not reported (shims, trampolines) lie between those that are.
    constexpr int kMaxHidden = 4;
    uint64_t at = 0;
    if (!AddLeaf(words, layout, tstate, &at)) return 0;
    for (const PythonFrame& next : python) {
      for (int hidden = 0; at != next.frame; ++hidden)
        if (hidden == kMaxHidden || at == 0 || !words.Add8(at + layout.frame.previous, &at))
          return 0;
      if (!AddFrame(words, layout, next) || !words.Add8(at + layout.frame.previous, &at)) return 0;
    }
  }
  // Below `frame` stands who asks, who is not part of what is remembered.
  for (size_t n = 0; n + 1 < native.size(); ++n) {
    const uint64_t place = native[n].cfa - sizeof(uint64_t);
    if (place < frame) continue;
    if (!words.Expect8(place, native[n + 1].pc)) return 0;
  }
  counts_[i] = words.count();
  tstates_[i] = tstate;
  frames_[i] = frame;
  next_ = (i + 1) % kStacks;
  return i + 1;
}

}  // namespace pyrometer::agent
