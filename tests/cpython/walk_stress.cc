// SPDX-License-Identifier: Apache-2.0
// Loaded into a Python process by stress_target.py: walks the stack of the
// calling thread between single machine instructions. A timer signal begins a
// window, in which the processor's trap flag stops the thread after every
// instruction; each stop is walked and judged.
//
// The program tells the truth by construction: every code object's file name
// carries its call depth ("L07"), and the program stores the depth that it is
// at in a byte before and after each call.
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "cpython/code_object.h"
#include "cpython/frame_walk.h"
#include "cpython/layout.h"

namespace {

namespace cpython = pyrometer::cpython;

// Loads that come back from a fault instead of dying of it; system calls would
// make a stop ten times as long.
class OwnMemory {
 public:
  bool Read(uint64_t address, void* out, size_t size) const {
    if (sigsetjmp(fault_exit, 0) != 0) return false;
    guarded = 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the loads stay in between
    std::memcpy(out, reinterpret_cast<const void*>(address), size);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    guarded = 0;
    return true;
  }

  static void OnFault(int signal) {
    if (guarded != 0) {
      guarded = 0;
      siglongjmp(fault_exit, 1);
    }
    ::signal(signal, SIG_DFL);
  }

 private:
  static inline sigjmp_buf fault_exit;
  static inline volatile sig_atomic_t guarded = 0;
};

constexpr int kUnknown = -1;
constexpr size_t kMaxFrames = 512;

// What stress_stop reports; ctypes reads it, see stress_target.py.
struct Report {
  uint64_t outcomes[4] = {};
  uint64_t spliced = 0;  // depths not consecutive down to 0
  uint64_t stale = 0;    // leaf further than one call from the told depth
  uint64_t told = 0;     // of the first bad stack
  uint64_t rip = 0;
  uint64_t depth_count = 0;
  int32_t depths[64] = {};
};

struct Judge {
  cpython::Layout layout;
  OwnMemory memory;
  uint64_t tstate = 0;
  const volatile uint8_t* told = nullptr;
  uint64_t window = 0;
  uint64_t left = 0;  // instructions of the window
  long period_ns = 0;
  timer_t timer{};
  Report report;
  cpython::PythonFrame frames[kMaxFrames];
  struct {
    uint64_t code;
    int32_t depth;
  } known[4096];

  void Arm() const {
    const itimerspec spec{{0, 0}, {0, period_ns}};
    timer_settime(timer, 0, &spec, nullptr);
  }

  int DepthOf(uint64_t code) {
    auto& slot = known[code / 16 % 4096];
    if (slot.code != code) slot = {code, ReadDepth(code)};
    return slot.depth;
  }

  int ReadDepth(uint64_t code) const {
    cpython::CodeHead head;
    cpython::TextView view;
    char text[3];
    if (!ReadCodeHead(layout, memory, code, &head) ||
        !ReadText(layout, memory, head.filename, &view) || view.length != 3 || view.kind != 1 ||
        !memory.Read(view.data, text, sizeof text) || text[0] != 'L') {
      return kUnknown;
    }
    return (text[1] - '0') * 10 + (text[2] - '0');
  }

  // Consecutive depths from the leaf to 0; repeats are helpers of one depth.
  bool Consecutive(uint32_t count, int* leaf) {
    int expected = kUnknown;
    *leaf = kUnknown;
    for (uint32_t i = 0; i < count; ++i) {
      const int depth = DepthOf(frames[i].code);
      if (depth == kUnknown) continue;
      if (*leaf == kUnknown)
        *leaf = depth;
      else if (depth != expected && depth != expected - 1)
        return false;
      expected = depth;
    }
    return expected <= 0;
  }

  void Look(uint64_t sp, uint64_t rip) {
    const int told_depth = *told;
    const auto result = WalkFrames(layout, memory, tstate, sp, std::span(frames));
    ++report.outcomes[static_cast<size_t>(result.outcome)];
    if (result.outcome != cpython::WalkOutcome::kComplete) return;
    int leaf = kUnknown;
    const bool consecutive = Consecutive(result.count, &leaf);
    const bool stale = leaf - told_depth > 1 || told_depth - leaf > 1;
    if (report.spliced + report.stale == 0 && (!consecutive || stale)) {
      report.told = told_depth;
      report.rip = rip;
      report.depth_count = result.count < 64 ? result.count : 64;
      for (uint64_t i = 0; i < report.depth_count; ++i) report.depths[i] = DepthOf(frames[i].code);
    }
    report.spliced += !consecutive;
    report.stale += consecutive && stale;
  }
};

Judge* g_judge = nullptr;
constexpr uint64_t kTrapFlag = 0x100;

void OnSignal(int signal, siginfo_t*, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  auto flags = static_cast<uint64_t>(registers[REG_EFL]);
  if (signal == SIGPROF) g_judge->left = g_judge->window;
  g_judge->Look(static_cast<uint64_t>(registers[REG_RSP]),
                static_cast<uint64_t>(registers[REG_RIP]));
  if (g_judge->left != 0) --g_judge->left;
  flags = g_judge->left != 0 ? flags | kTrapFlag : flags & ~kTrapFlag;
  registers[REG_EFL] = static_cast<greg_t>(flags);
  // Not periodic: a stepping thread would never come to rest.
  if (g_judge->left == 0) g_judge->Arm();
}

}  // namespace

extern "C" {

// Starts to step `window` instructions of this thread, again and again, with
// `period_us` of full speed between.
// Returns 0, or -1 when the interpreter is unknown.
int stress_start(uint32_t version, uint64_t runtime, uint64_t tstate, const uint64_t* types,
                 const uint8_t* told, uint64_t window, uint64_t period_us) {
  static Judge judge;
  g_judge = &judge;
  if (!LayoutFromDebugOffsets(judge.memory, runtime, version, &judge.layout)) {
    const cpython::Layout* found = cpython::FindLayout(version);
    if (found == nullptr) return -1;
    judge.layout = *found;
  }
  judge.layout.type_code = types[0];
  judge.layout.type_generator = types[1];
  judge.layout.type_coroutine = types[2];
  judge.layout.type_async_generator = types[3];
  judge.tstate = tstate;
  judge.told = told;
  judge.window = window;
  // What earlier calls left below the stack pointer must stay as it is: the
  // walk meets it where an activation is not whole yet.
  static char handler_stack[1 << 18];
  const stack_t stack{handler_stack, 0, sizeof handler_stack};
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigaddset(&action.sa_mask, SIGPROF);
  sigaction(SIGPROF, &action, nullptr);
  sigaction(SIGTRAP, &action, nullptr);
  struct sigaction fault{};
  fault.sa_handler = OwnMemory::OnFault;
  fault.sa_flags = SA_NODEFER | SA_ONSTACK;
  sigaction(SIGSEGV, &fault, nullptr);
  sigaction(SIGBUS, &fault, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = gettid();
  timer_create(CLOCK_MONOTONIC, &event, &judge.timer);
  judge.period_ns = static_cast<long>(period_us) * 1000;
  judge.Arm();
  return 0;
}

void stress_stop(Report* out) {
  timer_delete(g_judge->timer);
  g_judge->window = g_judge->left = 0;
  std::memcpy(out, &g_judge->report, sizeof *out);
}
}
