// SPDX-License-Identifier: Apache-2.0
#include "metric/metric.h"

#include <algorithm>
#include <array>

namespace pyrometer::metric {
namespace {

using enum Metric;

constexpr Mask kOnCpu = Bit(kPython) | Bit(kNative) | Bit(kKernel);
constexpr Mask kOffCpu = Bit(kIoWait) | Bit(kLockWait) | Bit(kGilWait) | Bit(kSleep) |
                         Bit(kChildWait) | Bit(kRunQueue) | Bit(kOtherWait);
constexpr uint8_t kBoth = kRanked | kExported;

constexpr Unit kNs = Unit::kNanoseconds;
constexpr Unit kBytes = Unit::kBytes;

constexpr Info kInfos[] = {
    {kPython, "python", "", "", "Python", "Python", "CPU time of the interpreter",
     "the interpreter itself", kNs, Bit(kPython), kBoth},
    {kNative, "native", "", "", "Native code", "native", "CPU time of native code",
     "extensions and libraries", kNs, Bit(kNative), kBoth},
    {kKernel, "kernel", "", "", "Kernel", "kernel", "CPU time of the kernel",
     "system calls and page faults", kNs, Bit(kKernel), kBoth},
    {kIoWait, "io_wait", "", "", "I/O wait", "I/O", "waiting for I/O", "input and output", kNs,
     Bit(kIoWait), kBoth},
    {kLockWait, "lock_wait", "", "", "Lock wait", "lock", "waiting for locks",
     "locks other than the GIL", kNs, Bit(kLockWait), kBoth},
    {kGilWait, "gil_wait", "", "", "GIL wait", "GIL", "waiting for the GIL",
     "the interpreter's lock", kNs, Bit(kGilWait), kBoth},
    {kSleep, "sleep", "", "", "Sleep", "sleep", "sleeping", "time.sleep and the like", kNs,
     Bit(kSleep), kBoth},
    {kChildWait, "child_wait", "", "", "Child wait", "child", "waiting for child processes",
     "child processes", kNs, Bit(kChildWait), kBoth},
    {kRunQueue, "run_queue", "", "run_wait", "Run queue", "run queue", "waiting in the run queue",
     "ready to run, but no CPU was free", kNs, Bit(kRunQueue), kBoth},
    {kOtherWait, "other_wait", "", "", "Other wait", "other", "waiting for unknown reasons",
     "waits whose cause could not be read", kNs, Bit(kOtherWait), kBoth},
    {kMainWait, "main_wait", "", "", "Main-thread wait", "main wait", "waiting of the main thread",
     "waits of the main thread", kNs, Bit(kMainWait), 0},
    {kGc, "gc", "", "", "Garbage collection", "GC", "garbage collection",
     "the part of CPU in the cyclic collector", kNs, Bit(kGc), kRanked},
    {kImport, "import", "", "", "Imports", "import", "imports", "the part of time in imports", kNs,
     Bit(kImport), kRanked},
    {kWorker, "worker", "", "", "Workers", "workers", "CPU time of workers",
     "the part of CPU in threads and processes that a line waits for", kNs, Bit(kWorker), kRanked},
    {kAwait, "await", "", "", "Await", "await", "time of tasks that wait",
     "tasks that are suspended, or ready but not yet run", kNs, Bit(kAwait), kRanked},
    {kSamples, "samples", "", "", "Samples", "samples", "samples", "observations", Unit::kCount,
     Bit(kSamples), kExported},
    {kAllocated, "allocated", "", "", "Allocated", "alloc", "memory allocated",
     "all requests, also what was freed", kBytes, Bit(kAllocated), kBoth},
    {kLiveAtPeak, "live_at_peak", "memory", "", "Live at peak", "live", "memory live at peak",
     "what was live when most was in use", kBytes, Bit(kLiveAtPeak), kBoth},
    {kLiveAtExit, "live_at_exit", "", "left_at_end", "Live at exit", "at exit",
     "memory live at exit", "what was never freed", kBytes, Bit(kLiveAtExit), kBoth},
    {kCopied, "copied", "copy", "", "Copied", "copy", "memory copied",
     "bytes that memcpy and the like have moved", kBytes, Bit(kCopied), kBoth},
    {kTime, "time", "", "", "Time", "time", "time", "CPU of all threads + main-thread waits", kNs,
     kOnCpu | Bit(kMainWait), kRanked},
    {kWall, "wall", "", "", "Wall clock", "wall", "wall-clock time of threads",
     "CPU and waits of all threads", kNs, kOnCpu | kOffCpu, kBoth},
    {kCpu, "cpu", "", "", "CPU", "CPU", "CPU time", "Python, native code and kernel", kNs, kOnCpu,
     kBoth},
    {kWait, "wait", "", "", "Wait", "wait", "waiting", "waits of all threads", kNs, kOffCpu,
     kRanked},
};
static_assert(std::size(kInfos) == kCount);
static_assert(std::ranges::is_sorted(kInfos, {}, &Info::metric));
static_assert(kInfos[kCount - 1].metric == kWait, "all are there");

template <size_t kSize>
constexpr std::array<Info, kSize> InOrder(const Metric (&order)[kSize]) {
  std::array<Info, kSize> infos{};
  for (size_t i = 0; i < kSize; ++i) infos[i] = kInfos[static_cast<size_t>(order[i])];
  return infos;
}

constexpr auto kRankedInfos =
    InOrder({kTime,     kWall,    kCpu,        kPython,    kNative,     kKernel,    kWait, kIoWait,
             kLockWait, kGilWait, kSleep,      kChildWait, kRunQueue,   kOtherWait, kGc,   kImport,
             kWorker,   kAwait,   kLiveAtPeak, kAllocated, kLiveAtExit, kCopied});
constexpr auto kExportedInfos = InOrder(
    {kSamples, kCpu, kPython, kNative, kKernel, kIoWait, kLockWait, kGilWait, kSleep, kChildWait,
     kRunQueue, kOtherWait, kWall, kAllocated, kLiveAtPeak, kLiveAtExit, kCopied});

constexpr bool HasAllOf(std::span<const Info> listed, Use use) {
  return std::ranges::all_of(kInfos, [&](const Info& info) {
    const bool found = std::ranges::find(listed, info.metric, &Info::metric) != listed.end();
    return found == ((info.uses & use) != 0);
  });
}
static_assert(HasAllOf(kRankedInfos, kRanked));
static_assert(HasAllOf(kExportedInfos, kExported));

}  // namespace

std::span<const Info> All() { return kInfos; }

const Info& InfoOf(Metric metric) { return kInfos[static_cast<size_t>(metric)]; }

std::span<const Info> Listed(Use use) {
  if (use == kRanked) return kRankedInfos;
  return kExportedInfos;
}

Mask PartsOf(Metric metric) { return IsDeclared(metric) ? Bit(metric) : InfoOf(metric).parts; }

std::string_view UnitName(Unit unit) {
  constexpr std::string_view kUnits[] = {"count", "nanoseconds", "bytes"};
  return kUnits[static_cast<size_t>(unit)];
}

std::string_view UnitName(const Info& info) {
  return info.unit_name.empty() ? UnitName(info.unit) : info.unit_name;
}

}  // namespace pyrometer::metric
