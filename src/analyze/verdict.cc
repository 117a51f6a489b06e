// SPDX-License-Identifier: Apache-2.0
#include "analyze/verdict.h"

#include <algorithm>
#include <vector>

namespace pyrometer::analyze {
namespace {

using format::Activity;

// A second finding is worth a line when it is at least this share.
constexpr double kWorthSaying = 0.25;
// So is growth of this many bytes an hour, and of this share of what is in use.
constexpr double kWorthGrowing = 1e6, kWorthGrowingShare = 0.01;
// So are copies of this many bytes for each second of the run: a machine that
// does nothing else copies some ten times as many.
constexpr double kWorthCopying = 1e9;

class Finder {
 public:
  Finder(const profile::Profile& profile, const FrameTable& frames, const View& merged,
         std::optional<size_t> main_thread)
      : profile_(profile), frames_(frames), merged_(merged), main_thread_(main_thread) {}

  std::vector<Verdict> Find(const std::vector<LeakStats>& leaks) const {
    std::vector<Verdict> found = FindTime();
    if (!merged_.memory.recorded) return found;
    if (merged_.total.empty() && merged_.memory.total.own_peak_bytes > 0)
      found = {MemoryPeak()};  // that there is no time was asked for
    if (!leaks.empty() && IsWorth(leaks.front())) found.push_back(Growth(leaks.front()));
    const double seconds = static_cast<double>(merged_.elapsed_ns) * 1e-9;
    const double copied = static_cast<double>(merged_.memory.total.copied.bytes);
    if (copied > 0 && copied >= kWorthCopying * seconds) found.push_back(Copies());
    return found;
  }

 private:
  std::vector<Verdict> FindTime() const {
    if (merged_.total.empty()) {
      Verdict none;
      none.of_ns = merged_.elapsed_ns;
      return {none};
    }
    const double cpu = static_cast<double>(merged_.total.cpu.ns);
    const double wait = static_cast<double>(merged_.total.main_wait_ns);
    std::vector<Verdict> found;
    if (cpu > 0 && cpu >= kWorthSaying * (cpu + wait)) found.push_back(Cpu());
    if (wait > 0 && wait >= kWorthSaying * (cpu + wait)) found.push_back(Wait());
    if (wait > cpu) std::reverse(found.begin(), found.end());
    // Only worker threads were seen, all of them waiting.
    if (found.empty()) found.push_back(AnyWait());
    const uint64_t gil = merged_.total[Activity::kGilWait].ns;
    const bool told = std::any_of(found.begin(), found.end(), [](const Verdict& v) {
      return v.activity == Activity::kGilWait;
    });
    if (!told && static_cast<double>(gil) >= kWorthSaying * cpu && gil > 0) found.push_back(Gil());
    return found;
  }

  bool IsWorth(const LeakStats& leak) const {
    const double in_use = static_cast<double>(merged_.memory.total.own_peak_bytes);
    return leak.bytes_per_second * 3600 >= kWorthGrowing &&
           static_cast<double>(leak.live.bytes) >= kWorthGrowingShare * in_use;
  }

  Verdict MemoryPeak() const {
    const ViewMemory& memory = merged_.memory;
    Verdict v;
    v.kind = Verdict::Kind::kMemoryPeak;
    v.ns = memory.peak_ns;
    v.bytes = memory.total.at_peak.bytes();
    v.of_bytes = memory.peak_levels ? memory.peak_levels->rss_bytes : 0;
    v.samples = memory.total.allocated.all().samples;
    if (!memory.lines.empty()) SetPlace(v, memory.lines.front(), &MemoryAtPeak);
    return v;
  }

  static Verdict Growth(const LeakStats& leak) {
    Verdict v;
    v.kind = Verdict::Kind::kMemoryGrowth;
    v.bytes = WholeBytes(leak.bytes_per_second);
    v.probability = leak.probability;
    v.samples = leak.allocated.samples;
    v.path = leak.place.path;
    v.function = leak.place.function;
    v.line = leak.place.line;
    v.place_bytes = leak.live.bytes;
    return v;
  }

  Verdict Copies() const {
    Verdict v;
    v.kind = Verdict::Kind::kCopies;
    v.bytes = merged_.memory.total.copied.bytes;
    v.of_ns = merged_.elapsed_ns;
    v.samples = merged_.memory.total.copied.samples;
    if (!merged_.memory.copies.empty()) SetPlace(v, merged_.memory.copies.front(), &Copied);
    return v;
  }

  static uint64_t MemoryAtPeak(const MemoryStats& stats) { return stats.at_peak.bytes(); }
  static uint64_t Copied(const MemoryStats& stats) { return stats.copied.bytes; }
  void SetPlace(Verdict& v, const LineRef& ref, uint64_t (*bytes)(const MemoryStats&)) const {
    const LineStats& line = merged_.Line(ref);
    v.path = merged_.files[ref.file].path;
    v.function = line.function;
    v.line = line.line;
    v.place_bytes = bytes(line.memory.scoped);
  }

  Verdict Cpu() const {
    Verdict v;
    v.kind = Verdict::Kind::kCpu;
    v.of_ns = merged_.total.cpu.ns;
    SetLargest(v, merged_.total, true);
    SetPlace(v, false);
    return v;
  }

  Verdict Wait() const {
    Verdict v;
    v.kind = Verdict::Kind::kWait;
    v.of_ns = merged_.elapsed_ns;
    // The first process comes first, so the first main thread is its.
    const auto main = std::find_if(merged_.threads.begin(), merged_.threads.end(),
                                   [](const ThreadStats& thread) { return thread.main; });
    SetLargest(v, main->time, false);
    SetPlace(v, true);
    return v;
  }

  Verdict AnyWait() const {
    Verdict v;
    v.kind = Verdict::Kind::kWait;
    v.of_ns = merged_.elapsed_ns;
    SetLargest(v, merged_.total, false);
    SetPlace(v, false);
    return v;
  }

  Verdict Gil() const {
    Verdict v;
    v.kind = Verdict::Kind::kGilContention;
    v.activity = Activity::kGilWait;
    v.ns = merged_.total[v.activity].ns;
    v.samples = merged_.total[v.activity].samples;
    v.of_ns = merged_.elapsed_ns;
    SetPlace(v, false);
    return v;
  }

  static void SetLargest(Verdict& v, const Breakdown& time, bool on_cpu) {
    for (size_t i = 0; i < format::kActivityCount; ++i) {
      const Activity activity = Activity(i);
      if (format::IsOnCpu(activity) != on_cpu || time[activity].ns <= v.ns) continue;
      v.activity = activity;
      v.ns = time[activity].ns;
      v.samples = time[activity].samples;
    }
  }

  // The in-scope line with most time of the verdict's activity.
  void SetPlace(Verdict& v, bool main_only) const {
    std::vector<uint64_t> by_spot(frames_.spots().size());
    const profile::SampleColumns& samples = profile_.samples;
    for (size_t i = 0; i < samples.size(); ++i) {
      if (samples.activity[i] != v.activity) continue;
      if (main_only && samples.thread[i].value != *main_thread_) continue;
      const std::optional<uint32_t> spot = frames_.ScopedSpot(samples.stack[i]);
      if (spot) by_spot[*spot] += samples.weight_ns[i];
    }
    const auto hottest = std::max_element(by_spot.begin(), by_spot.end());
    if (hottest == by_spot.end() || *hottest == 0) return;
    const FrameTable::Spot& spot = frames_.spots()[static_cast<size_t>(hottest - by_spot.begin())];
    const FrameTable::Line& line = frames_.lines()[spot.line];
    v.path = frames_.files()[line.file].path;
    v.function = frames_.functions()[spot.function].name;
    v.line = line.number;
    v.place_ns = *hottest;
  }

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const View& merged_;
  const std::optional<size_t> main_thread_;
};

}  // namespace

std::vector<Verdict> FindVerdicts(const profile::Profile& profile, const FrameTable& frames,
                                  const View& merged, const std::vector<LeakStats>& leaks,
                                  std::optional<size_t> main_thread) {
  return Finder(profile, frames, merged, main_thread).Find(leaks);
}

}  // namespace pyrometer::analyze
