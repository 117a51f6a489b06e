// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/epilogue.h"
#include "unwind/memory_ref.h"
#include "unwind/module.h"
#include "unwind/registers.h"
#include "unwind/row_cache.h"
#include "unwind/row_compiler.h"
#include "unwind/unwind_row.h"

namespace pyrometer::unwind {

// One function on the native stack. `sp` is its stack pointer, `cfa` that of
// its caller; what lies between belongs to it. `cfa` is 0 in the last frame of
// a walk that ended there for want of a row.
struct NativeFrame {
  uint64_t pc = 0;  // the return address into it; for the leaf, the interrupted instruction
  uint64_t sp = 0;
  uint64_t cfa = 0;
};

// The stack of the walked thread: [low, high). Words outside are never read.
struct StackBounds {
  uint64_t low = 0;
  uint64_t high = 0;
};

enum class WalkEnd : uint8_t {
  kRoot,      // complete: the thread's first function
  kFull,      // no room in the output
  kNoModule,  // a pc outside every module, and no believable frame pointer
  kNoRow,     // a pc that the unwind tables do not cover, likewise
  kBadStack,  // the rows lead outside the stack, or nowhere
};

// A walk over one stack, from a leaf to the root: rows of the unwind tables
// where there are any; for code without (generated at run time, hand-written)
// what it does after the call, if it does nothing but return; else the frame
// pointer, if it points up the stack to a return address that can be one.
//
// Thread-safety: lives on the stack of its user.
// Signal-safety: as Finder, Reader and RowCache.
template <ModuleFinder Finder, MemoryReader Reader>
class NativeWalk {
 public:
  NativeWalk(const Finder& finder, MemoryRef tables, const Reader& reader, RowCache& cache,
             Registers leaf, StackBounds bounds)
      : finder_(finder),
        tables_(tables),
        reader_(reader),
        cache_(cache),
        regs_(leaf),
        bounds_(bounds) {
    // What a signal may have left intact below sp is readable, nothing else.
    const uint64_t lowest = leaf.sp - Arch::kRedZoneBytes;
    if (lowest < leaf.sp && lowest > bounds_.low) bounds_.low = lowest;
  }

  // Writes the frame that the walk stands on and moves to its caller. False
  // when there is none; then end() says why.
  bool Step(NativeFrame* frame) {
    *frame = {.pc = regs_.ip, .sp = regs_.sp, .cfa = 0};
    // A return address can be the first byte after its function, when the call
    // does not return; the byte before belongs to the call.
    const UnwindRow row = RowFor(pc_is_exact_ ? regs_.ip : regs_.ip - 1);
    switch (row.kind) {
      case UnwindRow::Kind::kRoot:
        return Stop(WalkEnd::kRoot);
      case UnwindRow::Kind::kNone:
        if (!in_module_ && !pc_is_exact_ && StepByEpilogue(frame)) return true;
        return StepByFramePointer(frame);
      case UnwindRow::Kind::kPlain:
      case UnwindRow::Kind::kDeref:
        return StepByRow(row, frame);
    }
    return Stop(WalkEnd::kNoRow);
  }

  WalkEnd end() const { return end_; }

 private:
  UnwindRow RowFor(uint64_t pc) {
    if (const UnwindRow* row = cache_.Find(pc)) {
      in_module_ = true;
      return *row;
    }
    Module module;
    in_module_ = finder_.Find(pc, &module);
    // Not cached: a library may be loaded there before the next walk.
    if (!in_module_) return UnwindRow{};
    const RangedRow ranged = CompileRow(tables_, module, pc);
    cache_.Put(pc, ranged);
    return ranged.row;
  }

  bool StepByRow(const UnwindRow& row, NativeFrame* frame) {
    uint64_t cfa = BaseValue(row.base) + static_cast<uint64_t>(int64_t{row.cfa_offset});
    if (row.kind == UnwindRow::Kind::kDeref) {
      if (!Load(cfa, &cfa)) return Stop(WalkEnd::kBadStack);
      cfa += static_cast<uint64_t>(int64_t{row.cfa_addend});
    }
    Registers caller{.ip = 0, .sp = cfa, .bp = 0, .aux = 0};
    if (!Restore(row.ra_where, row.ra_offset, cfa, Arch::kHasLinkRegister ? regs_.aux : 0,
                 &caller.ip) ||
        !Restore(row.bp_where, row.bp_offset, cfa, regs_.bp, &caller.bp) ||
        !Restore(row.aux_where, row.aux_offset, cfa, regs_.aux, &caller.aux)) {
      return Stop(WalkEnd::kBadStack);
    }
    caller.ip = Arch::StripReturnAddress(caller.ip);
    return MoveTo(caller, row.is_signal_frame, frame);
  }

  // Code that was generated at run time has called and will be returned to, so
  // that it stays what it is for now. False: it does not show how it returns.
  bool StepByEpilogue(NativeFrame* frame) {
    uint8_t code[kEpilogueBytes];
    constexpr uint64_t kPageBytes = 4096;
    const uint64_t on_page = kPageBytes - regs_.ip % kPageBytes;
    const size_t size = on_page < kEpilogueBytes ? on_page : kEpilogueBytes;
    UnwindRow row;
    Module module;
    uint64_t caller = 0;
    return reader_.Read(regs_.ip, code, size) && ReadEpilogue({code, size}, &row) &&
           Load(regs_.sp + static_cast<uint64_t>(row.cfa_offset) - sizeof caller, &caller) &&
           (IsNear(caller, regs_.ip) || finder_.Find(caller, &module)) && StepByRow(row, frame);
  }

  bool StepByFramePointer(NativeFrame* frame) {
    const WalkEnd reason = in_module_ ? WalkEnd::kNoRow : WalkEnd::kNoModule;
    const uint64_t bp = regs_.bp;
    Registers caller;
    if (bp % sizeof(uint64_t) != 0 || bp <= regs_.sp || !Load(bp, &caller.bp) ||
        !Load(bp + sizeof(uint64_t), &caller.ip)) {
      return Stop(reason);
    }
    caller.ip = Arch::StripReturnAddress(caller.ip);
    caller.sp = bp + 2 * sizeof(uint64_t);
    Module module;
    if (!IsNear(caller.ip, regs_.ip) && !finder_.Find(caller.ip, &module)) return Stop(reason);
    return MoveTo(caller, false, frame);
  }

  // A run-time generated function that calls another one lies close to it.
  bool IsNear(uint64_t return_address, uint64_t pc) const {
    constexpr uint64_t kRegionBytes = uint64_t{1} << 24;
    return !in_module_ && return_address - pc + kRegionBytes < 2 * kRegionBytes;
  }

  bool MoveTo(const Registers& caller, bool pc_is_exact, NativeFrame* frame) {
    // Strictly upwards: this is also what makes every walk end.
    if (caller.sp <= last_cfa_ || caller.sp < regs_.sp || caller.sp > bounds_.high) {
      return Stop(WalkEnd::kBadStack);
    }
    frame->cfa = caller.sp;
    if (caller.ip == 0) return Stop(WalkEnd::kRoot);
    last_cfa_ = caller.sp;
    regs_ = caller;
    pc_is_exact_ = pc_is_exact;
    return true;
  }

  uint64_t BaseValue(UnwindRow::Base base) const {
    switch (base) {
      case UnwindRow::Base::kSp:
        return regs_.sp;
      case UnwindRow::Base::kBp:
        return regs_.bp;
      case UnwindRow::Base::kAux:
        return regs_.aux;
    }
    return 0;
  }

  bool Restore(UnwindRow::Where where, int16_t offset, uint64_t cfa, uint64_t same,
               uint64_t* value) const {
    const auto delta = static_cast<uint64_t>(int64_t{offset});
    switch (where) {
      case UnwindRow::Where::kSame:
        *value = same;
        return true;
      case UnwindRow::Where::kAtCfa:
        return Load(cfa + delta, value);
      case UnwindRow::Where::kAtSp:
        return Load(regs_.sp + delta, value);
      case UnwindRow::Where::kAtBp:
        return Load(regs_.bp + delta, value);
      case UnwindRow::Where::kUnknown:
        *value = 0;
        return true;
    }
    return false;
  }

  bool Load(uint64_t address, uint64_t* value) const {
    return address >= bounds_.low && bounds_.high >= sizeof(*value) &&
           address <= bounds_.high - sizeof(*value) && reader_.Read(address, value, sizeof(*value));
  }

  bool Stop(WalkEnd end) {
    end_ = end;
    return false;
  }

  const Finder& finder_;
  MemoryRef tables_;
  const Reader& reader_;
  RowCache& cache_;
  Registers regs_;
  StackBounds bounds_;
  uint64_t last_cfa_ = 0;
  bool pc_is_exact_ = true;
  bool in_module_ = false;
  WalkEnd end_ = WalkEnd::kRoot;
};

// Walks from `leaf`, innermost frame first, and returns the number of frames
// in `out`. `end`, if given, says why there are no more. `tables` reads the
// modules, `reader` the stack. With the registers of another thread or process,
// pass readers and a finder of that process.
template <ModuleFinder Finder, MemoryReader Reader>
size_t WalkStack(const Finder& finder, MemoryRef tables, const Reader& reader, RowCache& cache,
                 Registers leaf, StackBounds bounds, std::span<NativeFrame> out, WalkEnd* end) {
  NativeWalk<Finder, Reader> walk(finder, tables, reader, cache, leaf, bounds);
  size_t count = 0;
  WalkEnd why = WalkEnd::kFull;
  while (count < out.size()) {
    if (!walk.Step(&out[count++])) {
      why = walk.end();
      break;
    }
  }
  if (end != nullptr) *end = why;
  return count;
}

}  // namespace pyrometer::unwind
