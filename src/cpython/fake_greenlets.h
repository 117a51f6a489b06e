// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cpython/fake_code.h"
#include "cpython/fake_memory.h"
#include "cpython/layout.h"

namespace pyrometer::cpython {

// Greenlets of one thread in the memory of an imaginary process, as greenlet's
// library lays them out. CPython 3.12. For tests.
class FakeGreenlets {
 public:
  enum class Version { k2, k32 };  // 2.0 and later, 3.2 and later

  static constexpr uint64_t kLibrary = 0x70000000;
  static constexpr uint64_t kLibraryEnd = kLibrary + 0x10000;
  static constexpr uint64_t kTypeFrame = 0x5800;

  explicit FakeGreenlets(Version version) : version_(version), layout_(*FindLayout(0x030c01f0)) {
    layout_.type_code = kFakeTypeCode;
    layout_.type_frame = kTypeFrame;
    stack_ = memory_.Allocate(1 << 16);
    state_ = memory_.Allocate(64);
    main_ = New(kLibrary + 0x100);
    memory_.Put(Body(main_) + First() + 8, state_);
    if (version_ == Version::k32) memory_.Put(Body(main_) + First(), main_);
    memory_.Put(state_, main_);
    Put(main_, kStackStart, 1);
    Put(main_, kStackStop, ~uint64_t{0});
    Run(main_);
  }

  // A greenlet that has started, on the C stack up to `stack_stop` bytes of it.
  uint64_t Make(uint64_t parent, uint64_t stack_stop = 0x8000) {
    const uint64_t greenlet = New(kLibrary + 0x200);
    memory_.Put(Body(greenlet) + Main(), main_);
    memory_.Put(Body(greenlet) + Main() + 16, parent);
    Put(greenlet, kStackStart, stack_);
    Put(greenlet, kStackStop, stack_ + stack_stop);
    return greenlet;
  }

  void Run(uint64_t greenlet) { memory_.Put(state_ + 8, greenlet); }

  // Leaves `greenlet` in the middle of calls, the last in code.back(). Returns its frames.
  std::vector<uint64_t> Stop(uint64_t greenlet, const std::vector<uint64_t>& codes) {
    constexpr uint64_t kChunkSize = 16 << 10;
    const uint64_t chunk = memory_.Allocate(kChunkSize);
    memory_.Put(chunk + 8, kChunkSize);
    uint64_t top = chunk + 32;
    std::vector<uint64_t> frames;
    for (const uint64_t code : codes) {
      memory_.Put(top + layout_.frame.code, code);
      memory_.Put(top + layout_.frame.previous, frames.empty() ? 0 : frames.back());
      memory_.Put(top + layout_.frame.instruction, code + layout_.code.bytecode + 4);
      frames.push_back(top);
      top += kFakeFrameSize;
    }
    const uint64_t object = memory_.Allocate(64);
    memory_.Put(object + layout_.object.type, kTypeFrame);
    memory_.Put(object + 24, frames.back());
    Put(greenlet, kTopFrame, object);
    Put(greenlet, kCurrentFrame, frames.back());
    Put(greenlet, kCurrentFrame + 8, chunk);
    Put(greenlet, kCurrentFrame + 16, top);
    return frames;
  }

  uint64_t Code() { return FakeCode(memory_, layout_); }

  // Fields of a body, as offsets behind the exception state and the arguments.
  static constexpr uint64_t kStackStart = 0;
  static constexpr uint64_t kStackStop = 8;
  static constexpr uint64_t kTopFrame = 6 * 8;
  static constexpr uint64_t kCurrentFrame = 11 * 8;
  void Put(uint64_t greenlet, uint64_t field, uint64_t value) {
    memory_.Put(Body(greenlet) + Stack() + field, value);
  }

  uint64_t Body(uint64_t greenlet) const {
    uint64_t body = 0;
    memory_.Read(greenlet + 32, &body, sizeof body);
    return body;
  }

  FakeMemory& memory() { return memory_; }
  const Layout& layout() const { return layout_; }
  uint64_t main() const { return main_; }
  uint64_t state() const { return state_; }
  uint64_t stack() const { return stack_; }

 private:
  uint64_t New(uint64_t virtual_table) {
    const uint64_t greenlet = memory_.Allocate(40);
    const uint64_t body = memory_.Allocate(48 * 8);
    memory_.Put(greenlet + 32, body);
    memory_.Put(body, virtual_table);
    memory_.Put(body + (version_ == Version::k32 ? 8 : First()), greenlet);
    return greenlet;
  }

  uint64_t Stack() const { return (version_ == Version::k32 ? 7 : 6) * 8; }
  // The first field of a derived class.
  uint64_t First() const { return Stack() + 15 * 8; }
  uint64_t Main() const { return First() + (version_ == Version::k32 ? 0 : 8); }

  Version version_;
  FakeMemory memory_;
  Layout layout_;
  uint64_t stack_, state_, main_;
};

}  // namespace pyrometer::cpython
