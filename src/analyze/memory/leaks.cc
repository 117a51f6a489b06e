// SPDX-License-Identifier: Apache-2.0
#include "analyze/memory/leaks.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyze/code/places.h"
#include "analyze/stats/growth.h"

namespace pyrometer::analyze {
namespace {

using format::ProcessId;

constexpr size_t kMaxTypes = 3;
constexpr uint64_t kReturnShare = 50;  // of the run: its last part, which is left out
constexpr uint32_t kNoLine = 0xffffffff;
constexpr size_t kWarmUpHalves = kHalfWindows / 2;  // the first third of the run
constexpr size_t kAllHalves = kWarmUpHalves + kHalfWindows;

// The line of a stack that its memory is charged to: the innermost in scope,
// else the innermost of all.
Place LineOf(const profile::Profile& profile, const FrameTable& frames, format::StackId stack) {
  if (const auto scoped = frames.ScopedSpot(stack)) return PlaceOf(frames, *scoped);
  for (format::StackId at = stack; at != format::kEmptyStack;
       at = profile.stacks[at.value].parent) {
    const format::FrameId frame = profile.stacks[at.value].frame;
    if (frames.IsPython(frame)) return PlaceOf(frames, frames.SpotOf(frame));
  }
  if (stack == format::kEmptyStack) return {"", "?", 0};
  const FrameTable::Native& native =
      frames.natives()[frames.NativesOf(profile.stacks[stack.value].frame).front()];
  return {native.module, native.name.empty() ? "?" : native.name, 0};
}

// One line of one process, followed through time.
struct Track {
  double live = 0;
  double lowest = 0;  // in the half window that is under way
  double highest_minimum = 0;
  GrowthSeries series;
  MemorySum born, died;                        // after the warm-up
  std::map<format::StackId, double> by_stack;  // growth after the warm-up
  Growth growth;
};

// Follows the lines of one process.
class Follower {
 public:
  Follower(const profile::Profile& profile, const MemoryHistory& history, ProcessId process,
           const Span& span, const std::vector<uint32_t>& line_of)
      : profile_(profile), history_(history), process_(process), span_(span), line_of_(line_of) {}

  std::map<uint32_t, Track> Follow() {
    FollowSteps();
    AddChanges();
    for (auto& [line, track] : tracks_) track.growth = JudgeGrowth(track.series);
    return std::move(tracks_);
  }

 private:
  uint64_t HalfEnd(size_t half) const {
    const double share = static_cast<double>(half + 1) / static_cast<double>(kAllHalves);
    return span_.begin + static_cast<uint64_t>(share * static_cast<double>(span_.length()));
  }
  uint64_t WarmUpEnd() const { return HalfEnd(kWarmUpHalves - 1); }

  void FollowSteps() {
    const std::vector<MemoryHistory::Step>& steps = history_.Steps(process_);
    std::unordered_map<uint32_t, uint64_t> live;
    size_t half = 0;
    for (size_t begin = 0, end; begin < steps.size(); begin = end) {
      const uint64_t time_ns = steps[begin].time_ns;
      for (; half < kAllHalves && HalfEnd(half) < time_ns; ++half) EndHalf(half);
      if (half == kAllHalves || steps[begin].exit) break;
      for (end = begin; end < steps.size() && steps[end].time_ns == time_ns; ++end) {
        const MemoryHistory::Step& step = steps[end];
        const format::StackId stack = history_.places()[step.place].stack;
        const uint64_t before = std::exchange(live[step.place], step.live_bytes);
        const double change = static_cast<double>(step.live_bytes) - static_cast<double>(before);
        Track& track = tracks_[line_of_[stack.value]];
        track.live += change;
        if (half >= kWarmUpHalves) track.by_stack[stack] += change;
      }
      for (size_t i = begin; i < end; ++i) {
        Track& track = tracks_[line_of_[history_.places()[steps[i].place].stack.value]];
        track.lowest = std::min(track.lowest, track.live);
      }
    }
    for (; half < kAllHalves; ++half) EndHalf(half);
  }

  void EndHalf(size_t half) {
    for (auto& [line, track] : tracks_) {
      GrowthSeries& series = track.series;
      series.drawdown = std::max(series.drawdown, track.highest_minimum - track.lowest);
      track.highest_minimum = std::max(track.highest_minimum, track.lowest);
      if (half + 1 == kWarmUpHalves) series.begin = track.live;
      if (half >= kWarmUpHalves) {
        const size_t i = half - kWarmUpHalves;
        series.minima[i] = track.lowest;
        if (i % 2 == 1) series.ends[i / 2] = track.live;
      }
      track.lowest = track.live;
    }
  }

  void AddChanges() {
    for (const uint32_t i : history_.Changes(process_)) {
      const format::MemoryChange& change = profile_.memory_changes[i];
      if (change.kind == format::MemoryKind::kCopied || change.time_ns <= WarmUpEnd()) continue;
      Track& track = tracks_[line_of_[change.stack.value]];
      track.born.Add(change.allocated);
      track.died.Add(change.freed);
    }
  }

  const profile::Profile& profile_;
  const MemoryHistory& history_;
  const ProcessId process_;
  const Span span_;
  const std::vector<uint32_t>& line_of_;
  std::map<uint32_t, Track> tracks_;  // by line
};

class LeakFinder {
 public:
  LeakFinder(const profile::Profile& profile, const FrameTable& frames,
             const MemoryHistory& history, const std::vector<Span>& spans)
      : profile_(profile),
        frames_(frames),
        history_(history),
        spans_(spans),
        line_of_(profile.stacks.size(), kNoLine) {
    // What the interpreter frees when it shuts down says nothing.
    for (const format::MemorySurvivors& survivors : profile.memory_survivors) {
      Span& span = spans_[survivors.process.value];
      if (survivors.time_ns > span.begin) span.end = std::min(span.end, survivors.time_ns);
    }
    // Nor what is freed as the program's last functions return.
    for (Span& span : spans_) span.end -= span.length() / kReturnShare;
    std::map<Place, uint32_t> known;
    const auto add = [&](format::StackId stack) {
      if (line_of_[stack.value] != kNoLine) return;
      const Place place = LineOf(profile, frames, stack);
      const auto [it, fresh] = known.try_emplace(place, static_cast<uint32_t>(lines_.size()));
      if (fresh) lines_.push_back(place);
      line_of_[stack.value] = it->second;
    };
    for (const MemoryHistory::Place& place : history.places()) add(place.stack);
    for (const format::MemorySurvivors& survivors : profile.memory_survivors)
      for (const format::LiveMemory& part : survivors.parts) add(part.stack);
  }

  std::vector<LeakStats> Find() {
    struct Suspect {
      uint32_t process;
      uint32_t line;
      Track track;
    };
    std::vector<Suspect> suspects;
    std::vector<double> p;
    size_t tests = 0;
    for (uint32_t i = 0; i < profile_.processes.size(); ++i) {
      for (auto& [line, track] :
           Follower(profile_, history_, ProcessId(i), spans_[i], line_of_).Follow()) {
        tests += track.growth.testable ? 1 : 0;
        if (track.growth.p > kFalseLeakBound) continue;
        p.push_back(track.growth.p);
        suspects.push_back({i, line, std::move(track)});
      }
    }
    p = AdjustForMany(std::move(p), tests);
    for (size_t i = 0; i < suspects.size(); ++i)
      if (p[i] <= kFalseLeakBound)
        Add(suspects[i].process, suspects[i].line, suspects[i].track, 1 - p[i]);
    return Finish();
  }

 private:
  void Add(uint32_t process, uint32_t line, const Track& track, double probability) {
    LeakStats& leak = leaks_[line];
    const double seconds = static_cast<double>(spans_[process].length()) * 1e-9 * 2 / 3;
    const double windows_per_second = static_cast<double>(kGrowthWindows) / seconds;
    ++leak.processes;
    leak.probability = std::max(leak.probability, probability);
    leak.bytes_per_second += track.growth.rate * windows_per_second;
    leak.low_bytes_per_second += track.growth.low_rate * windows_per_second;
    leak.high_bytes_per_second += track.growth.high_rate * windows_per_second;
    leak.allocated.Add(track.born);
    leak.freed.Add(track.died);
    const auto most =
        std::max_element(track.by_stack.begin(), track.by_stack.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != track.by_stack.end() && most->second > growth_of_[line]) {
      growth_of_[line] = most->second;
      leak.stack = PlacesOf(profile_, frames_, most->first);
    }
    AddLive(process, line, leak);
  }

  void AddLive(uint32_t process, uint32_t line, LeakStats& leak) {
    if (const format::MemorySurvivors* survivors = history_.SurvivorsOf(ProcessId(process))) {
      for (const format::LiveMemory& part : survivors->parts) {
        if (part.kind == format::MemoryKind::kCopied || line_of_[part.stack.value] != line)
          continue;
        leak.live.Add(part.amount);
        if (const std::string& type = profile_.Text(part.type); !type.empty())
          types_[line][type].Add(part.amount);
      }
      return;
    }
    const uint64_t last_ns = history_.ExitNs(ProcessId(process)) - 1;
    for (const MemoryHistory::Part& part : history_.LiveAt(last_ns, ProcessId(process)))
      if (line_of_[part.place.stack.value] == line) leak.live.Add(part.live);
  }

  std::vector<LeakStats> Finish() {
    std::vector<LeakStats> found;
    for (auto& [line, leak] : leaks_) {
      leak.place = lines_[line];
      for (const auto& [type, live] : types_[line]) leak.types.push_back({type, live});
      std::sort(leak.types.begin(), leak.types.end(),
                [](const LeakStats::Type& a, const LeakStats::Type& b) {
                  return std::tuple(b.live.bytes, a.name) < std::tuple(a.live.bytes, b.name);
                });
      leak.types.resize(std::min(leak.types.size(), kMaxTypes));
      found.push_back(std::move(leak));
    }
    std::sort(found.begin(), found.end(), [](const LeakStats& a, const LeakStats& b) {
      return std::tie(b.bytes_per_second, a.place) < std::tie(a.bytes_per_second, b.place);
    });
    return found;
  }

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const MemoryHistory& history_;
  std::vector<Span> spans_;  // by process, to the end of the program
  std::vector<Place> lines_;
  std::vector<uint32_t> line_of_;         // by stack; kNoLine: has no memory
  std::map<uint32_t, LeakStats> leaks_;   // by line
  std::map<uint32_t, double> growth_of_;  // of the stack that a leak shows
  std::map<uint32_t, std::map<std::string, MemorySum>> types_;
};

}  // namespace

std::vector<LeakStats> FindLeaks(const profile::Profile& profile, const FrameTable& frames,
                                 const MemoryHistory& history, const std::vector<Span>& spans) {
  if (profile.memory_changes.empty()) return {};
  return LeakFinder(profile, frames, history, spans).Find();
}

}  // namespace pyrometer::analyze
