// SPDX-License-Identifier: Apache-2.0
#include "tui/text/verdict_text.h"

#include <fmt/format.h>

#include "metric/metric.h"
#include "tui/text/number.h"

namespace pyrometer::tui {

using metric::Metric;
using Kind = analyze::Verdict::Kind;

std::string CalledName(const std::string& printable) {
  // "<module>" and the like are not called.
  return printable + (printable.ends_with('>') ? "" : "()");
}

namespace {

// A line with less is not where the time goes.
constexpr double kLeastHotPercent = 5;

double PercentOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// Of what it is about, one of those that everybody knows.
const metric::Info& InfoOf(const analyze::Verdict& v, Metric otherwise) {
  return metric::InfoOf(v.metric.value_or(otherwise));
}

// "hottest line: 43 % at f() a.py:9"; of what `v` is about, where that is.
std::string TimePlace(const analyze::Verdict& v, const std::string& lead,
                      const std::string& place) {
  // Of waits, which may be a small part of the run, and of garbage collection.
  const uint64_t about = v.kind == Kind::kCpu ? v.of_ns : v.ns;
  if (PercentOf(v.place_ns, about) >= kLeastHotPercent)
    return fmt::format("{}: {} at {}", lead, WholePercent(v.place_ns, v.of_ns), place);
  // Waits there may be of other kinds as well, so that their share would say little.
  if (2 * v.outside_ns >= about)
    return v.kind == Kind::kWait ? "mostly outside your code"
                                 : WholePercent(v.outside_ns, v.of_ns) + " outside your code";
  return "spread over many lines";
}

std::string WaitText(const analyze::Verdict& v, bool first, const std::string& place) {
  const std::string of =
      fmt::format("{} of {} elapsed", WholePercent(v.ns, v.of_ns), Duration(v.of_ns));
  if (v.workers_ns != 0)
    return fmt::format("Main thread waiting for its workers: {}; they used {} CPU time; {}", of,
                       Duration(v.workers_ns), TimePlace(v, "longest", place));
  return fmt::format("{} {}: {}; {}", first ? "Mostly" : "Also", InfoOf(v, Metric::kWait).phrase,
                     of, TimePlace(v, "longest", place));
}

}  // namespace

std::string VerdictText(const analyze::Verdict& v, bool first, const std::string& place) {
  const std::string share = WholePercent(v.ns, v.of_ns), time = Duration(v.of_ns);
  const std::string at_place = v.path.empty() ? "outside your code" : "at " + place;
  const std::string memory_place =
      v.path.empty() ? at_place
                     : fmt::format("{} {}", WholePercent(v.place_bytes, v.bytes), at_place);
  switch (v.kind) {
    case Kind::kNoSamples:
      if (v.of_ns < 1'000'000'000) return fmt::format("Too short: ran {}, 0 samples.", time);
      return fmt::format("Nothing recorded: ran {}, 0 samples.", time);
    case Kind::kCpu:
      return fmt::format(
          "{} {}: {} of {} CPU time; {}", first ? "CPU-bound in" : "Also on CPU, in",
          v.metric == Metric::kKernel ? "the kernel" : InfoOf(v, Metric::kPython).head, share, time,
          TimePlace(v, "hottest line", place));
    case Kind::kWait:
      return WaitText(v, first, place);
    case Kind::kGilContention:
      return fmt::format("Threads compete for the GIL: {} lost waiting for it; most {}",
                         Duration(v.ns), at_place);
    case Kind::kGarbageCollection:
      return fmt::format(
          "{}arbage collection: {} of {} CPU time; {}; gc.freeze(), gc.set_threshold() or "
          "gc.disable() may save it",
          first ? "Mostly g" : "G", share, time, TimePlace(v, "most", place));
    case Kind::kMemoryPeak:
      return fmt::format("Peak of {} in use at {}; most: {}", Bytes(v.bytes), Duration(v.ns),
                         memory_place);
    case Kind::kMemoryGrowth:
      return fmt::format("Memory keeps growing: {}/s {}, {} of it live at the end", Bytes(v.bytes),
                         at_place, Bytes(v.place_bytes));
    case Kind::kCopies:
      return fmt::format("Copies {} in {}; most: {}", Bytes(v.bytes), time, memory_place);
    case Kind::kDeclared:
      return fmt::format("Most {}: {}", v.title, memory_place);
  }
  return "";
}

}  // namespace pyrometer::tui
