// SPDX-License-Identifier: Apache-2.0
#include "agent/sampler.h"

#include <ucontext.h>

#include <cstring>
#include <span>

#include "agent/agent.h"
#include "agent/announce.h"
#include "agent/clock.h"
#include "agent/stack_merge.h"
#include "agent/thread_record.h"
#include "agent/thread_registry.h"
#include "cpython/coroutine.h"
#include "unwind/loaded_modules.h"

namespace pyrometer::agent {
namespace {

using transport::RecordType;
using transport::RingWriter;
using transport::SampleRecord;
using transport::StackFrame;

// A stack that is rejected this often in a row is no passing state: the
// sample is then kept with its native part alone.
constexpr uint32_t kMaxTornRun = 8;
// How far above the last page that is known to be mapped a walk may look; it
// probes there.
constexpr uint64_t kAboveStackEnd = 1 << 16;

// A CPU timer expires at the tick. A tick inside a system call is delivered at
// the return to user mode, that is right behind the `syscall` instruction.
bool IsBehindSystemCall(const sigsafe::LocalReader& reader, uint64_t pc) {
#if defined(__x86_64__)
  uint8_t before[2];
  return reader.Read(pc - 2, before, 2) && before[0] == 0x0f && before[1] == 0x05;
#else
  uint32_t before;
  return reader.Read(pc - 4, &before, 4) && (before & 0xffe0001f) == 0xd4000001;  // svc
#endif
}

// Takes the sample of one signal. Lives on the handler's stack, works in the
// thread's record.
class Sampler {
 public:
  Sampler(ThreadRecord* record, const ucontext_t& context)
      : record_(record),
        registers_(unwind::FromUcontext(context)),
        reader_(record->pages, registers_.sp,
                registers_.sp < record->stack_end ? record->stack_end : 0),
        counters_(g_agent.ring.header()->counters) {}

  void Take(bool from_perf, uint64_t now_ns) {
    const uint64_t cpu_ns = NowNs(CLOCK_THREAD_CPUTIME_ID);
    uint32_t flags = 0;
    uint64_t interval = 0;
    if (from_perf) {
      flags |= transport::kFromPerf;
      record_->uses_perf = true;
    } else {
      interval = cpu_ns - record_->tick_cpu_ns;
      record_->tick_cpu_ns = cpu_ns;
      const bool in_kernel = TickWasInKernel();
      if (in_kernel) flags |= transport::kInKernel;
      // Where a perf event samples user code, the ticks stand for the kernel.
      if (record_->uses_perf && !in_kernel) return;
    }
    const bool torn = !WalkPython();
    const Switch at = WalkNative();
    record_->torn_run = torn ? record_->torn_run + 1 : 0;
    // The time until the next sample then counts for that one. A switch of
    // stacks leaves no Python stack to be read either, but its time is its own.
    if (torn && at != Switch::kInside && record_->torn_run < kMaxTornRun) {
      ++counters_.torn_stacks;
      return;
    }
    Merge(&flags);
    Write(flags, now_ns, cpu_ns, interval);
  }

 private:
  // Where the youngest frame of a stack switcher is (stack_switcher.h): below
  // all Python code, or is a switch going on?
  enum class Switch { kNone, kAtTheRoot, kInside };

  // The other way into the kernel is a page fault, which leaves no trace in the
  // registers; but the kernel has just accounted for the tick.
  bool TickWasInKernel() {
    const ModeTimes before = record_->tick_times;
    const ModeTimes now = record_->tick_times = ThreadModeTimes();
    if (IsBehindSystemCall(reader_, registers_.ip)) return true;
    // The interrupts of perf events are system time, too, but they are in the
    // user samples already: they hit user code.
    if (record_->uses_perf && now.page_faults == before.page_faults) return false;
    return now.system_us - before.system_us > now.user_us - before.user_us;
  }

  // False: the stack was caught in the middle of a change.
  bool WalkPython() {
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

  cpython::WalkResult Walk(const void* tstate) {
    const cpython::Layout& layout = g_agent.interpreter.layout;
    const MemoExtents extents(record_->codes, layout, reader_);
    return cpython::WalkFrames(layout, reader_, extents, reinterpret_cast<uint64_t>(tstate),
                               registers_.sp, std::span(record_->python));
  }

  // Code slots for the walked frames. False if the memo was wrong about one.
  bool FindSlots(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t code = record_->python[i].code;
      const CodeMemo::Entry* entry = record_->codes.Find(code);
      if (entry != nullptr && !IsStill(*entry)) return false;
      record_->slots[i] = entry != nullptr ? entry->slot : Remember(code);
    }
    return true;
  }

  // The walk has found the code object in a frame that runs, and a frame keeps
  // its code object alive: it is read without a probe.
  static bool IsStill(const CodeMemo::Entry& entry) {
    cpython::CodeHead head;
    return cpython::ReadCodeHead(g_agent.interpreter.layout, sigsafe::TrustingReader(), entry.code,
                                 &head) &&
           head.Identity() == entry.identity;
  }

  // The slot of a code object that is not in the memo, from now on in it.
  uint32_t Remember(uint64_t code) {
    CodeMemo::Entry entry{};
    entry.code = code;
    entry.slot = AnnounceCode(reader_, code, &entry.identity);
    if (entry.slot != transport::kNoCode &&
        cpython::ReadCodeExtent(g_agent.interpreter.layout, reader_, code, &entry.extent))
      record_->codes.Put(entry);
    return entry.slot;
  }

  Switch WalkNative() {
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
    if (at == Switch::kNone && !native_complete_ && g_agent.options.native) ++counters_.native_cut;
    return at;
  }

  // The modules of the native frames. Frames behind a switch of stacks, which
  // need not belong to this stack, are dropped.
  Switch FindModules() {
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

  void Merge(uint32_t* flags) {
    stack_ = &record_->stacks[1 - record_->current];
    stack_->count = 0;
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

  void AddPython(size_t i) {
    if (omitted_ != 0 && i == python_count_ - cpython::kRootFramesKept)
      Add({omitted_, StackFrame::kOmitted, 0});
    const uint64_t slot = record_->slots[i];
    Add({slot << 32 | record_->python[i].instruction, StackFrame::kPython, 0});
  }

  void AddNative(size_t i) {
    Add({record_->native[i].pc, StackFrame::kNative, record_->native_modules[i]});
  }

  void Add(const StackFrame& frame) {
    if (stack_->count < kMaxStackFrames) stack_->frames[stack_->count++] = frame;
  }

  // The frame of the coroutine that an event loop runs; python_count_ if there is none.
  size_t FindCoroutine() const {
    return cpython::RootCoroutine(
        g_agent.interpreter.layout, reader_,
        std::span<const cpython::PythonFrame>(record_->python, python_count_));
  }

  void Write(uint32_t flags, uint64_t now_ns, uint64_t cpu_ns, uint64_t interval) {
    const Stack& previous = record_->stacks[record_->current];
    uint32_t shared = 0;
    if (record_->previous_lost) {
      flags |= transport::kFullStack;
    } else {
      const uint32_t limit = previous.count < stack_->count ? previous.count : stack_->count;
      while (shared < limit && previous.frames[previous.count - 1 - shared] ==
                                   stack_->frames[stack_->count - 1 - shared])
        ++shared;
    }
    if (record_->baseline) flags |= transport::kBaseline;
    const uint32_t fresh = stack_->count - shared;
    const uint32_t bytes = RingWriter::Aligned(sizeof(SampleRecord) + fresh * sizeof(StackFrame));
    uint8_t* out = g_agent.ring.Reserve(bytes);
    if (out == nullptr) {
      record_->previous_lost = true;
      return;
    }
    SampleRecord sample{};
    sample.tid = record_->tid;
    sample.flags = flags;
    sample.time_ns = now_ns;
    sample.cpu_ns = cpu_ns;
    sample.shared = shared;
    sample.frames = fresh;
    sample.interval_ns = interval < 0xffffffffu ? static_cast<uint32_t>(interval) : 0xffffffffu;
    sample.coroutine_code = transport::kNoCode;
    if (const size_t root = FindCoroutine(); root < python_count_) {
      sample.coroutine_code = record_->slots[root];
      sample.coroutine = record_->python[root].generator;
    }
    sample.opcode = python_count_ != 0 ? record_->python[0].opcode : 0;
    RingWriter::Fill(out, sample);
    std::memcpy(out + sizeof sample, stack_->frames, fresh * sizeof(StackFrame));
    RingWriter::Commit(out, bytes, RecordType::kSample);
    ++counters_.samples;
    record_->current = 1 - record_->current;
    record_->previous_lost = false;
    record_->baseline = false;
  }

  ThreadRecord* record_;
  unwind::Registers registers_;
  sigsafe::LocalReader reader_;
  transport::AgentCounters& counters_;
  Stack* stack_ = nullptr;
  size_t native_count_ = 0;
  uint32_t python_count_ = 0;
  uint32_t omitted_ = 0;
  bool native_complete_ = false;
};

}  // namespace

bool IsOurSignal(const siginfo_t* info) {
  if (info->si_code == SI_TIMER)
    return static_cast<unsigned>(info->si_value.sival_int) == kTimerMark;
  // Only a descriptor with F_SETSIG raises such a signal with these codes: the
  // perf events that the collector has opened for our threads.
  if (info->si_code == POLL_IN || info->si_code == POLL_HUP) return true;
  // What the kernel could not spare the memory for: a classic signal still
  // comes, without a sender. No process has the number 0.
  return g_agent.signal_number == SIGSTKFLT && info->si_code == SI_USER && info->si_pid == 0;
}

void TakeSample(const siginfo_t* info, void* context) {
  ThreadRecord* record = CurrentThread();
  if (record == nullptr || !g_agent.active.load(std::memory_order_relaxed)) return;
  transport::RingHeader* header = g_agent.ring.header();
  ++header->counters.signals;
  if (header->recording.load(std::memory_order_relaxed) != transport::RecordingState::kOn) {
    record->baseline = true;
    return;
  }
  const uint64_t begin = NowNs(CLOCK_MONOTONIC);
  Sampler(record, *static_cast<ucontext_t*>(context)).Take(info->si_code != SI_TIMER, begin);
  header->counters.handler_ns += NowNs(CLOCK_MONOTONIC) - begin;
}

}  // namespace pyrometer::agent
