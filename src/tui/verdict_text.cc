// SPDX-License-Identifier: Apache-2.0
#include "tui/verdict_text.h"

#include <fmt/format.h>

#include "tui/number.h"
#include "tui/words.h"

namespace pyrometer::tui {

using Kind = analyze::Verdict::Kind;

std::string CalledName(const std::string& printable) {
  // "<module>" and the like are not called.
  return printable + (printable.ends_with('>') ? "" : "()");
}

std::string VerdictText(const analyze::Verdict& v, bool first, const std::string& place) {
  const std::string share = WholePercent(v.ns, v.of_ns), time = Duration(v.of_ns);
  const std::string time_place =
      v.path.empty() ? place : fmt::format("{} at {}", WholePercent(v.place_ns, v.of_ns), place);
  const std::string memory_place =
      v.path.empty() ? place : fmt::format("{} at {}", WholePercent(v.place_bytes, v.bytes), place);
  switch (v.kind) {
    case Kind::kNoSamples:
      if (v.of_ns < 1'000'000'000) return fmt::format("Too short: ran {}, 0 samples.", time);
      return fmt::format("Nothing recorded: ran {}, 0 samples.", time);
    case Kind::kCpu:
      return fmt::format(
          "{} {}: {} of {} CPU time; hottest line: {}", first ? "CPU-bound in" : "Also on CPU, in",
          v.activity == format::Activity::kKernel ? "the kernel" : ShortName(v.activity), share,
          time, time_place);
    case Kind::kWait:
      return fmt::format("{} for {}: {} of {} elapsed; longest: {}",
                         first ? "Mostly waiting" : "Also waiting", WaitedFor(v.activity), share,
                         time, time_place);
    case Kind::kGilContention:
      return fmt::format("Threads compete for the GIL: {} lost waiting for it; most {}{}",
                         Duration(v.ns), v.path.empty() ? "" : "at ", place);
    case Kind::kMemoryPeak:
      return fmt::format("Peak of {} in use at {}; most: {}", Bytes(v.bytes), Duration(v.ns),
                         memory_place);
    case Kind::kMemoryGrowth:
      return fmt::format("Memory keeps growing: {}/s {}{}, {} of it live at the end",
                         Bytes(v.bytes), v.path.empty() ? "" : "at ", place, Bytes(v.place_bytes));
    case Kind::kCopies:
      return fmt::format("Copies {} in {}; most: {}", Bytes(v.bytes), time, memory_place);
  }
  return "";
}

}  // namespace pyrometer::tui
