// SPDX-License-Identifier: Apache-2.0
#include "tui/words.h"

#include "tui/number.h"

namespace pyrometer::tui {
namespace {

constexpr std::string_view kShortNames[format::kActivityCount] = {
    "Python", "native", "kernel", "I/O", "lock", "GIL", "sleep", "child", "CPU queue", "other"};
constexpr std::string_view kWaitedFor[format::kActivityCount] = {"",           "",
                                                                 "",           "I/O",
                                                                 "a lock",     "the GIL",
                                                                 "a timer",    "a child process",
                                                                 "a free CPU", "an unknown reason"};

// In the order of analyze::Measure.
constexpr std::string_view kHeads[] = {"time s",   "CPU s",    "Python s", "native s",
                                       "kernel s", "wait s",   "GC s",     "await s",
                                       "live MB",  "alloc MB", "copy MB"};

}  // namespace

std::string_view HeadOf(analyze::Measure measure) { return kHeads[static_cast<size_t>(measure)]; }

std::string ValueText(analyze::Measure measure, uint64_t value, int decimals) {
  return analyze::IsMemory(measure) ? Megabytes(static_cast<double>(value))
                                    : Seconds(value, decimals);
}

std::string_view ShortName(format::Activity activity) {
  return kShortNames[static_cast<size_t>(activity)];
}

std::string_view WaitedFor(format::Activity wait) { return kWaitedFor[static_cast<size_t>(wait)]; }

Tone ToneOf(format::Activity activity) {
  switch (activity) {
    case format::Activity::kPython:
      return Tone::kPython;
    case format::Activity::kNative:
      return Tone::kNative;
    case format::Activity::kKernel:
      return Tone::kKernel;
    default:
      return Tone::kWait;
  }
}

}  // namespace pyrometer::tui
