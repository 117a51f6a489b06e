// SPDX-License-Identifier: Apache-2.0
#include "analyze/memory/memory_levels.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

namespace pyrometer::analyze {
namespace {

using format::MemoryLevel;

// The levels of one process in order of time.
using Series = std::vector<const MemoryLevel*>;

void Add(MemoryLevels& sum, const MemoryLevel& level) {
  sum.rss_bytes += level.rss_bytes;
  sum.pss_bytes += level.pss_bytes;
  sum.python_bytes += level.python_bytes;
  sum.native_bytes += level.native_bytes;
  sum.mapped_bytes += level.mapped_bytes;
  sum.arena_bytes += level.arena_bytes;
  sum.small_bytes += level.small_bytes;
}

// Of those from `begin` to `end`, the one with most resident; where there is
// none, the last one before. Null for a process that is not there yet, or no more.
const MemoryLevel* Representative(const Series& series, uint64_t begin_ns, uint64_t end_ns) {
  const auto first = std::partition_point(series.begin(), series.end(),
                                          [&](const auto* l) { return l->time_ns < begin_ns; });
  const auto last = std::partition_point(first, series.end(),
                                         [&](const auto* l) { return l->time_ns <= end_ns; });
  if (first == last) return first == series.begin() || first == series.end() ? nullptr : first[-1];
  return *std::max_element(
      first, last, [](const auto* a, const auto* b) { return a->rss_bytes < b->rss_bytes; });
}

class LevelSums {
 public:
  LevelSums(const profile::Profile& profile, std::span<const uint32_t> levels) {
    for (const uint32_t i : levels) {
      const MemoryLevel& level = profile.memory_levels[i];
      series_[level.process].push_back(&level);
    }
    for (auto& [id, series] : series_)
      std::stable_sort(series.begin(), series.end(),
                       [](const auto* a, const auto* b) { return a->time_ns < b->time_ns; });
  }

  bool empty() const { return series_.empty(); }
  uint64_t last_ns() const {
    uint64_t last = 0;
    for (const auto& [id, series] : series_) last = std::max(last, series.back()->time_ns);
    return last;
  }

  std::optional<MemoryLevels> In(uint64_t begin_ns, uint64_t end_ns) const {
    std::vector<const MemoryLevel*> chosen;
    for (const auto& [id, series] : series_)
      if (const MemoryLevel* level = Representative(series, begin_ns, end_ns))
        chosen.push_back(level);
    return Sum(chosen, end_ns);
  }

  // Of each process the one nearest to `time_ns`, if it was there then.
  std::optional<MemoryLevels> Near(uint64_t time_ns) const {
    std::vector<const MemoryLevel*> chosen;
    for (const auto& [id, series] : series_) {
      const bool alone = series_.size() == 1;
      if (!alone && (series.front()->time_ns > time_ns || series.back()->time_ns < time_ns))
        continue;
      const auto distance = [&](const MemoryLevel* level) {
        return level->time_ns > time_ns ? level->time_ns - time_ns : time_ns - level->time_ns;
      };
      chosen.push_back(*std::min_element(
          series.begin(), series.end(),
          [&](const auto* a, const auto* b) { return distance(a) < distance(b); }));
    }
    return Sum(chosen, time_ns);
  }

 private:
  static std::optional<MemoryLevels> Sum(const std::vector<const MemoryLevel*>& levels,
                                         uint64_t time_ns) {
    if (levels.empty()) return std::nullopt;
    MemoryLevels sum;
    sum.time_ns = levels.size() == 1 ? levels.front()->time_ns : time_ns;
    bool all_pss = true;
    for (const MemoryLevel* level : levels) {
      Add(sum, *level);
      all_pss = all_pss && level->pss_bytes != 0;
    }
    if (!all_pss) sum.pss_bytes = 0;  // a sum of some would be no level
    return sum;
  }

  std::map<format::ProcessId, Series> series_;
};

// The slope of a straight line through what was in use after the first third.
double Growth(const std::vector<MemoryLevels>& levels, const Span& span) {
  const uint64_t from = span.begin + span.length() / 3;
  double n = 0, time = 0, bytes = 0;
  const auto seconds = [](const MemoryLevels& l) { return static_cast<double>(l.time_ns) * 1e-9; };
  const auto used = [](const MemoryLevels& l) { return static_cast<double>(l.in_use()); };
  for (const MemoryLevels& level : levels) {
    if (level.time_ns < from) continue;
    ++n;
    time += seconds(level);
    bytes += used(level);
  }
  if (n < 3) return 0;
  double product = 0, square = 0;
  for (const MemoryLevels& level : levels) {
    if (level.time_ns < from) continue;
    product += (seconds(level) - time / n) * (used(level) - bytes / n);
    square += (seconds(level) - time / n) * (seconds(level) - time / n);
  }
  return square > 0 ? product / square : 0;
}

}  // namespace

void FillLevels(const profile::Profile& profile, const MemoryHistory& history,
                std::optional<format::ProcessId> process, const Span& span, ViewMemory& memory) {
  const LevelSums sums(profile, history.Levels(process));
  if (sums.empty()) return;
  const uint64_t end_ns = std::max(span.end, sums.last_ns());
  const double part =
      static_cast<double>(end_ns - std::min(end_ns, span.begin)) / static_cast<double>(kMostLevels);
  const auto border = [&](size_t i) {
    return span.begin + static_cast<uint64_t>(part * static_cast<double>(i));
  };
  for (size_t i = 0; i < kMostLevels; ++i) {
    const uint64_t part_end = i + 1 == kMostLevels ? end_ns : border(i + 1);
    const std::optional<MemoryLevels> levels = sums.In(border(i) + (i == 0 ? 0 : 1), part_end);
    if (!levels) continue;
    const bool repeated = !memory.levels.empty() && memory.levels.back().time_ns == levels->time_ns;
    if (!repeated) memory.levels.push_back(*levels);
  }
  for (const MemoryLevels& level : memory.levels)
    memory.peak_rss_bytes = std::max(memory.peak_rss_bytes, level.rss_bytes);
  const std::span processes(profile.processes);
  for (const profile::Process& of : process ? processes.subspan(process->value, 1) : processes)
    if (of.end) memory.peak_rss_bytes = std::max(memory.peak_rss_bytes, of.end->peak_rss_bytes);
  memory.peak_levels = sums.Near(memory.peak_ns);
  memory.end_levels = sums.Near(sums.last_ns());
  memory.growth_bytes_per_second = Growth(memory.levels, span);
}

}  // namespace pyrometer::analyze
