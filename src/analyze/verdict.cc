// SPDX-License-Identifier: Apache-2.0
#include "analyze/verdict.h"

#include <algorithm>
#include <map>

namespace pyrometer::analyze {
namespace {

using format::Activity;

// A second finding is worth a line when it is at least this share.
constexpr double kWorthSaying = 0.25;

class Finder {
 public:
  Finder(const profile::Profile& profile, const FrameTable& frames, const View& merged,
         std::optional<size_t> main_thread)
      : profile_(profile), frames_(frames), merged_(merged), main_thread_(main_thread) {}

  std::vector<Verdict> Find() const {
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

 private:
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
    std::map<uint32_t, uint64_t> by_spot;
    const profile::SampleColumns& samples = profile_.samples;
    for (size_t i = 0; i < samples.size(); ++i) {
      if (samples.activity[i] != v.activity) continue;
      if (main_only && samples.thread[i].value != *main_thread_) continue;
      const std::optional<uint32_t> spot = frames_.ScopedSpot(profile_, samples.stack[i]);
      if (spot) by_spot[*spot] += samples.weight_ns[i];
    }
    const auto hottest =
        std::max_element(by_spot.begin(), by_spot.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (hottest == by_spot.end()) return;
    const FrameTable::Spot& spot = frames_.spots()[hottest->first];
    const FrameTable::Line& line = frames_.lines()[spot.line];
    v.path = frames_.files()[line.file].path;
    v.function = frames_.functions()[spot.function].name;
    v.line = line.number;
    v.place_ns = hottest->second;
  }

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const View& merged_;
  const std::optional<size_t> main_thread_;
};

}  // namespace

std::vector<Verdict> FindVerdicts(const profile::Profile& profile, const FrameTable& frames,
                                  const View& merged, std::optional<size_t> main_thread) {
  return Finder(profile, frames, merged, main_thread).Find();
}

}  // namespace pyrometer::analyze
