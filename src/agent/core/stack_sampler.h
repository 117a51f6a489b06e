// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "agent/core/agent.h"
#include "agent/core/thread_record.h"
#include "cpython/coroutine.h"
#include "transport/ring_writer.h"
#include "unwind/registers.h"

namespace pyrometer::agent {

// Takes the stack of the calling thread, Python and native merged, and writes it
// to the ring behind a record. Lives on the stack of who samples, works in the
// thread's record.
//
// Context: the thread that owns `record`, in a handler or with signals blocked.
// Never allocates, never blocks, never faults.
class StackSampler {
 public:
  enum class Outcome {
    kWhole,
    kTorn,       // the Python stack was caught in the middle of a change
    kSwitching,  // the same, because a switch of stacks goes on (stack_switcher.h)
  };

  // `registers`: where the walk begins.
  StackSampler(ThreadRecord* record, const unwind::Registers& registers)
      : record_(record),
        registers_(registers),
        reader_(record->pages, registers_.sp,
                registers_.sp < record->stack_end ? record->stack_end : 0),
        counters_(g_agent.ring.header()->counters) {}

  // Walks both stacks. What is torn leaves the native part alone.
  Outcome Walk();
  // Puts both together. Sets kUnanchored in *flags when they do not fit.
  void Merge(uint32_t* flags);

  // Whether nothing is missing of this thread's own stack. REQUIRES: a walk that was kWhole.
  bool IsComplete() const {
    const bool whole_native = native_complete_ || !g_agent.options.native;
    return whole_native && omitted_ == 0 && python_count_ == own_count_;
  }
  // As walked, leaf first, without those of parent greenlets.
  std::span<const cpython::PythonFrame> python() const {
    return std::span(record_->python).first(own_count_);
  }
  std::span<const unwind::NativeFrame> native() const {
    return std::span(record_->native).first(native_count_);
  }

  const sigsafe::LocalReader& reader() const { return reader_; }
  const unwind::Registers& registers() const { return registers_; }

  // Of the innermost Python frame; 0 if there is none.
  uint8_t opcode() const { return python_count_ != 0 ? record_->python[0].opcode : 0; }

  // The root-most coroutine, which an event loop runs.
  struct Coroutine {
    uint32_t code = transport::kNoCode;  // slot
    uint64_t address = 0;
  };
  Coroutine FindCoroutine() const {
    const auto python = std::span<const cpython::PythonFrame>(record_->python, python_count_);
    const size_t root = cpython::RootCoroutine(g_agent.interpreter.layout, reader_, python);
    if (root >= python_count_) return {};
    return {record_->slots[root], record_->python[root].generator};
  }

  // Completes `sample`, a record that frames follow, and writes it with those
  // frames that differ from this thread's previous one. False: the ring is full.
  template <class Record>
  bool Write(Record sample, transport::RecordType type) {
    using transport::RingWriter;
    using transport::StackFrame;
    sample.tid = record_->tid;
    sample.shared = record_->previous_lost ? 0 : SharedFrames();
    if (record_->previous_lost) sample.flags |= transport::kFullStack;
    sample.frames = stack_->count - sample.shared;
    const uint32_t bytes = RingWriter::Aligned(sizeof(Record) + sample.frames * sizeof(StackFrame));
    uint8_t* out = g_agent.ring.Reserve(bytes);
    record_->previous_lost = out == nullptr;
    if (out == nullptr) return false;
    RingWriter::Fill(out, sample);
    std::memcpy(out + sizeof sample, stack_->frames, sample.frames * sizeof(StackFrame));
    RingWriter::Commit(out, bytes, type);
    record_->current = 1 - record_->current;
    return true;
  }

 private:
  // Where the youngest frame of a stack switcher is (stack_switcher.h): below
  // all Python code, or is a switch going on?
  enum class Switch { kNone, kAtTheRoot, kInside };

  bool WalkPython();
  Switch WalkNative();
  // Adds the frames of the greenlets that wait for the running one, if they can be told.
  void WalkParents(Switch at);
  bool KnowsGreenlets(Switch at);
  // Whether the C stack, which is inside a switch, is that of the current greenlet.
  bool HasStackOfCurrent() const;
  // Does `walk_once` into record_->python from frame `first` on, with slots.
  template <class WalkOnce>
  cpython::WalkResult Walk(uint32_t first, WalkOnce&& walk_once);
  bool FindSlots(uint32_t first, uint32_t count);
  uint32_t Remember(uint64_t code);
  Switch FindModules();
  void AddPython(size_t i);
  void AddNative(size_t i);
  void Add(const transport::StackFrame& frame) {
    if (stack_->count < kMaxStackFrames) stack_->frames[stack_->count++] = frame;
  }
  // How many root-most frames are those of the previous sample.
  uint32_t SharedFrames() const;

  ThreadRecord* record_;
  unwind::Registers registers_;
  sigsafe::LocalReader reader_;
  transport::AgentCounters& counters_;
  Stack* stack_ = nullptr;
  size_t native_count_ = 0;
  size_t walked_count_ = 0;    // with those behind a switch of stacks
  uint32_t python_count_ = 0;  // with those of parent greenlets
  uint32_t own_count_ = 0;     // without
  uint32_t omitted_ = 0;
  uint64_t switcher_begin_ = 0;  // where the library of Switch is mapped
  uint64_t switcher_end_ = 0;
  bool native_complete_ = false;
  bool ends_outside_ = false;  // of all modules
};

}  // namespace pyrometer::agent
