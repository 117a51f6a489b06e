// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/classify.h"

#include <sys/syscall.h>

namespace pyrometer::capture {

using format::Activity;
using transport::StackFrame;

Activity ClassifyOnCpu(std::span<const StackFrame> frames, uint32_t flags, uint8_t opcode,
                       const cpython::Layout& layout, const ModuleCache& modules,
                       const InterpreterJit& jit) {
  if ((flags & transport::kInKernel) != 0) return Activity::kKernel;
  bool below_eval = false;  // something runs that the eval loop has called
  for (size_t i = frames.size(); i-- > 0;) {
    if (frames[i].kind == StackFrame::kPython)
      return below_eval && cpython::IsCallOpcode(layout, opcode) ? Activity::kNative
                                                                 : Activity::kPython;
    if (frames[i].kind == StackFrame::kOmitted) continue;
    if (frames[i].module == transport::kNoModule && jit.IsCallee(frames.first(i), flags)) continue;
    below_eval = true;
    if (modules.RoleOf(frames[i].module) == ModuleRole::kOther) return Activity::kNative;
  }
  return Activity::kNative;
}

Activity ClassifyBlocked(const os::BlockedCall& call, uint64_t gil_begin, uint64_t gil_end) {
  switch (call.number) {
    case SYS_futex:
      return call.args[0] >= gil_begin && call.args[0] < gil_end ? Activity::kGilWait
                                                                 : Activity::kLockWait;
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
#ifdef SYS_pause
    case SYS_pause:
#endif
    case SYS_rt_sigsuspend:
    case SYS_rt_sigtimedwait:
      return Activity::kSleep;
#ifdef SYS_select
    case SYS_select:
#endif
    case SYS_pselect6:
      // With no descriptors it is a sleep; time.sleep() was made of it.
      return call.args[0] == 0 ? Activity::kSleep : Activity::kIoWait;
#ifdef SYS_poll
    case SYS_poll:
#endif
    case SYS_ppoll:
      return call.args[1] == 0 ? Activity::kSleep : Activity::kIoWait;
    case SYS_wait4:
    case SYS_waitid:
      return Activity::kChildWait;
#ifdef SYS_flock
    case SYS_flock:
#endif
    case SYS_semop:
    case SYS_semtimedop:
      return Activity::kLockWait;
    case -1:
      // A page fault or the like: the thread waits for its own memory.
      return Activity::kOtherWait;
    default:
      return Activity::kIoWait;
  }
}

}  // namespace pyrometer::capture
