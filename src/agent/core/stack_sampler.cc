// SPDX-License-Identifier: Apache-2.0
#include "agent/core/stack_sampler.h"

#include "agent/core/announce.h"
#include "agent/core/greenlet_scan.h"
#include "agent/core/stack_merge.h"
#include "cpython/greenlet_reader.h"
#include "cpython/greenlet_walk.h"
#include "unwind/loaded_modules.h"

namespace pyrometer::agent {
namespace {

using transport::StackFrame;

// How far above the last page that is known to be mapped a walk may look; it
// probes there.
constexpr uint64_t kAboveStackEnd = 1 << 16;
// How often a thread looks for its greenlets in vain. It costs a system call for each
// page that a word of the stack may point to.
constexpr uint32_t kMaxGreenletMisses = 32;

// The walk has found the code object in a frame that runs, and a frame keeps
// its code object alive: it is read without a probe.
bool IsStill(const CodeMemo::Entry& entry) {
  cpython::CodeHead head;
  return cpython::ReadCodeHead(g_agent.interpreter.layout, sigsafe::TrustingReader(), entry.code,
                               &head) &&
         head.Identity() == entry.identity;
}

}  // namespace

StackSampler::Outcome StackSampler::Walk() {
  const bool whole = WalkPython();
  const Switch at = WalkNative();
  if (whole) {
    WalkParents(at);
    return Outcome::kWhole;
  }
  return at == Switch::kInside ? Outcome::kSwitching : Outcome::kTorn;
}

// False: the stack was caught in the middle of a change.
bool StackSampler::WalkPython() {
  python_count_ = own_count_ = 0;
  omitted_ = 0;
  const uint64_t tstate = g_agent.interpreter.ThreadState();
  if (tstate == 0) return true;
  const cpython::WalkResult walk = Walk(0, [&](const auto& layout, const auto& extents) {
    return cpython::WalkFrames(layout, reader_, extents, tstate, registers_.sp,
                               std::span(record_->python).first(kMaxPythonFrames));
  });
  if (walk.outcome == cpython::WalkOutcome::kTorn) return false;
  python_count_ = own_count_ = walk.count;
  omitted_ = walk.omitted;
  if (omitted_ != 0) ++counters_.truncated_stacks;
  return true;
}

void StackSampler::WalkParents(Switch at) {
  if (!KnowsGreenlets(at)) {
    if (at == Switch::kAtTheRoot) ++counters_.greenlet_cut;
    return;
  }
  const bool settled = at != Switch::kInside || HasStackOfCurrent();
  const std::span<cpython::PythonFrame> frames(record_->python);
  const cpython::WalkResult walk = Walk(own_count_, [&](const auto& layout, const auto& extents) {
    return cpython::WalkParentGreenlets(layout, reader_, extents, record_->greenlets, registers_.sp,
                                        record_->stack_end + kAboveStackEnd, settled,
                                        frames.first(own_count_), frames.subspan(own_count_));
  });
  if (walk.outcome == cpython::WalkOutcome::kComplete) python_count_ += walk.count;
  if (walk.outcome == cpython::WalkOutcome::kTorn) ++counters_.greenlet_cut;
}

bool StackSampler::KnowsGreenlets(Switch at) {
  const cpython::Layout& layout = g_agent.interpreter.layout;
  cpython::GreenletThread& greenlets = record_->greenlets;
  if (greenlets.known()) {
    // A native stack that reaches the root is that of the main greenlet.
    if (at == Switch::kNone && native_complete_) return false;
    if (cpython::GreenletReader(layout, reader_, greenlets).Holds()) return true;
    greenlets = {};
  }
  if (at != Switch::kAtTheRoot || record_->greenlet_misses == kMaxGreenletMisses) return false;
  const auto native = std::span<const unwind::NativeFrame>(record_->native, native_count_);
  cpython::GreenletThread found;
  if (!ScanForGreenlets(layout, reader_, native, g_agent.interpreter.eval, switcher_begin_,
                        switcher_end_, &found)) {
    ++record_->greenlet_misses;
    return false;
  }
  transport::GreenletRecord record{};
  record.tid = record_->tid;
  record.greenlets = found;
  // A full ring loses this sample as well; the next one tries again.
  if (!g_agent.ring.Write(record, transport::RecordType::kGreenlets)) return false;
  greenlets = found;
  return true;
}

// Behind the frames of the switch is where the greenlet began that has this stack.
bool StackSampler::HasStackOfCurrent() const {
  const cpython::GreenletReader read(g_agent.interpreter.layout, reader_, record_->greenlets);
  const uint64_t body = read.Body(read.Current(registers_.sp, record_->stack_end + kAboveStackEnd));
  const std::span<const unwind::NativeFrame> native(record_->native, walked_count_);
  size_t behind = 0;  // where the frames of the switch end; 0: not yet
  for (size_t i = native_count_; i < walked_count_; ++i) {
    const uint64_t pc = native[i].pc - 1;
    const bool in_library = pc >= switcher_begin_ && pc < switcher_end_;
    if (behind == 0 && !in_library) behind = i;
    if (behind == 0 || !in_library) continue;
    return body != 0 && BeginsThere(reader_, read, native.first(i + 1).subspan(behind),
                                    g_agent.interpreter.eval, body);
  }
  return false;
}

template <class WalkOnce>
cpython::WalkResult StackSampler::Walk(uint32_t first, WalkOnce&& walk_once) {
  const cpython::Layout& layout = g_agent.interpreter.layout;
  const MemoExtents extents(record_->codes, layout, reader_);
  cpython::WalkResult walk = walk_once(layout, extents);
  // Perhaps it was checked against code objects that are gone: once more.
  if (walk.outcome == cpython::WalkOutcome::kTorn || !FindSlots(first, walk.count)) {
    record_->codes.Clear();
    walk = walk_once(layout, extents);
    FindSlots(first, walk.count);
  }
  return walk;
}

// Code slots for the walked frames. False if the memo was wrong about one.
bool StackSampler::FindSlots(uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; ++i) {
    const uint64_t code = record_->python[i].code;
    const CodeMemo::Entry* entry = record_->codes.Find(code);
    if (entry != nullptr && !IsStill(*entry)) return false;
    record_->slots[i] = entry != nullptr ? entry->slot : Remember(code);
  }
  return true;
}

// The slot of a code object that is not in the memo, from now on in it.
uint32_t StackSampler::Remember(uint64_t code) {
  CodeMemo::Entry entry{};
  entry.code = code;
  entry.slot = AnnounceCode(reader_, code, &entry.identity);
  if (entry.slot != transport::kNoCode &&
      cpython::ReadCodeExtent(g_agent.interpreter.layout, reader_, code, &entry.extent))
    record_->codes.Put(entry);
  return entry.slot;
}

StackSampler::Switch StackSampler::WalkNative() {
  unwind::WalkEnd end = unwind::WalkEnd::kFull;
  const uint32_t unloads = g_agent.unloads.load(std::memory_order_relaxed);
  record_->rows.UseGeneration(unloads);
  const sigsafe::LocalReader tables(record_->module_pages, unloads);
  const size_t room = g_agent.options.native ? kMaxNativeFrames : 1;
  native_count_ =
      unwind::WalkStack(unwind::LoadedModules(), tables, reader_, record_->rows, registers_,
                        {registers_.sp - 4096, record_->stack_end + kAboveStackEnd},
                        std::span(record_->native).first(room), &end);
  walked_count_ = native_count_;
  native_complete_ = end == unwind::WalkEnd::kRoot;
  const Switch at = FindModules();
  const bool cut = at == Switch::kNone && !native_complete_ && g_agent.options.native;
  // Whether that is generated code, which few walks can leave, is for the
  // collector to find out.
  ends_outside_ = cut && end == unwind::WalkEnd::kNoModule;
  if (cut && !ends_outside_) ++counters_.native_cut;
  return at;
}

// The modules of the native frames. Frames behind a switch of stacks, which
// need not belong to this stack, are dropped.
StackSampler::Switch StackSampler::FindModules() {
  AnnouncedModule module{};
  bool in_python = false;
  for (size_t i = 0; i < native_count_; ++i) {
    const uint64_t pc = record_->native[i].pc - (i == 0 ? 0 : 1);
    // Neighbours on a stack mostly are in the same module.
    if (!module.Contains(pc)) module = AnnounceModule(pc);
    record_->native_modules[i] = module.slot;
    if (module.switches_stacks) {
      switcher_begin_ = module.start;
      switcher_end_ = module.end;
      native_count_ = i + 1;
      native_complete_ = false;
      return in_python ? Switch::kAtTheRoot : Switch::kInside;
    }
    in_python = in_python || g_agent.interpreter.eval.Contains(pc);
  }
  return Switch::kNone;
}

void StackSampler::Merge(uint32_t* flags) {
  stack_ = &record_->stacks[1 - record_->current];
  stack_->count = 0;
  if (ends_outside_) *flags |= transport::kEndsOutside;
  const auto python = std::span<const cpython::PythonFrame>(record_->python, own_count_);
  const auto native = std::span<const unwind::NativeFrame>(record_->native, native_count_);
  const bool merged = MergeStacks(
      python, native, native_complete_, g_agent.interpreter.eval,
      [this](size_t i) { AddPython(i); }, [this](size_t i) { AddNative(i); });
  if (!merged) {
    *flags |= transport::kUnanchored;
    ++counters_.unmerged_stacks;
    if (!g_agent.interpreter.eval.Contains(registers_.ip)) AddNative(0);
    for (size_t i = 0; i < own_count_; ++i) AddPython(i);
  }
  for (size_t i = own_count_; i < python_count_; ++i) AddPython(i);
}

void StackSampler::AddPython(size_t i) {
  if (omitted_ != 0 && i == own_count_ - cpython::kRootFramesKept)
    Add({omitted_, StackFrame::kOmitted, 0});
  const uint64_t slot = record_->slots[i];
  Add({slot << 32 | record_->python[i].instruction, StackFrame::kPython, 0});
}

void StackSampler::AddNative(size_t i) {
  Add({record_->native[i].pc, StackFrame::kNative, record_->native_modules[i]});
}

uint32_t StackSampler::SharedFrames() const {
  const Stack& previous = record_->stacks[record_->current];
  const uint32_t limit = previous.count < stack_->count ? previous.count : stack_->count;
  uint32_t shared = 0;
  while (shared < limit &&
         previous.frames[previous.count - 1 - shared] == stack_->frames[stack_->count - 1 - shared])
    ++shared;
  return shared;
}

}  // namespace pyrometer::agent
