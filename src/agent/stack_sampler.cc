// SPDX-License-Identifier: Apache-2.0
#include "agent/stack_sampler.h"

#include "agent/announce.h"
#include "agent/stack_merge.h"
#include "unwind/loaded_modules.h"

namespace pyrometer::agent {
namespace {

using transport::StackFrame;

// How far above the last page that is known to be mapped a walk may look; it
// probes there.
constexpr uint64_t kAboveStackEnd = 1 << 16;

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
  if (whole) return Outcome::kWhole;
  return at == Switch::kInside ? Outcome::kSwitching : Outcome::kTorn;
}

// False: the stack was caught in the middle of a change.
bool StackSampler::WalkPython() {
  python_count_ = 0;
  omitted_ = 0;
  if (!g_agent.interpreter.supported) return true;
  void* tstate = g_agent.interpreter.this_thread_state();
  if (tstate == nullptr) return true;
  cpython::WalkResult walk = Walk(tstate);
  // Perhaps it was checked against code objects that are gone: once more.
  if (walk.outcome == cpython::WalkOutcome::kTorn || !FindSlots(walk.count)) {
    record_->codes.Clear();
    walk = Walk(tstate);
    FindSlots(walk.count);
  }
  if (walk.outcome == cpython::WalkOutcome::kTorn) return false;
  python_count_ = walk.count;
  omitted_ = walk.omitted;
  if (omitted_ != 0) ++counters_.truncated_stacks;
  return true;
}

cpython::WalkResult StackSampler::Walk(const void* tstate) {
  const cpython::Layout& layout = g_agent.interpreter.layout;
  const MemoExtents extents(record_->codes, layout, reader_);
  return cpython::WalkFrames(layout, reader_, extents, reinterpret_cast<uint64_t>(tstate),
                             registers_.sp, std::span(record_->python));
}

// Code slots for the walked frames. False if the memo was wrong about one.
bool StackSampler::FindSlots(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
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
  const auto python = std::span<const cpython::PythonFrame>(record_->python, python_count_);
  const auto native = std::span<const unwind::NativeFrame>(record_->native, native_count_);
  const bool merged = MergeStacks(
      python, native, native_complete_, g_agent.interpreter.eval,
      [this](size_t i) { AddPython(i); }, [this](size_t i) { AddNative(i); });
  if (merged) return;
  *flags |= transport::kUnanchored;
  ++counters_.unmerged_stacks;
  if (!g_agent.interpreter.eval.Contains(registers_.ip)) AddNative(0);
  for (size_t i = 0; i < python_count_; ++i) AddPython(i);
}

void StackSampler::AddPython(size_t i) {
  if (omitted_ != 0 && i == python_count_ - cpython::kRootFramesKept)
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
