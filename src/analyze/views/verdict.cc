// SPDX-License-Identifier: Apache-2.0
#include "analyze/views/verdict.h"

#include <algorithm>
#include <vector>

#include "analyze/views/hot_lines.h"

namespace pyrometer::analyze {
namespace {

using format::Activity;
using metric::Metric;

// A second finding is worth a line when it is at least this share.
constexpr double kWorthSaying = 0.25;
// Others of the program work for the main thread while it waits, if they use this share of it
// or would if there were a CPU for them.
constexpr double kBusyWorkers = 0.5;
// So is growth of this many bytes an hour, and of this share of what is in use.
constexpr double kWorthGrowing = 1e6, kWorthGrowingShare = 0.01;
// So are copies of this many bytes for each second of the run: a machine that
// does nothing else copies some ten times as many.
constexpr double kWorthCopying = 1e9;

class Finder {
 public:
  Finder(const View& merged, const metric::Table& metrics) : merged_(merged), metrics_(metrics) {}

  std::vector<Verdict> Find(const std::vector<LeakStats>& leaks) const {
    std::vector<Verdict> found = FindTime();
    if (!merged_.memory.recorded) {
      // What a recording declares is the answer where it has nothing else.
      if (!merged_.total.empty() && !merged_.total.has_time()) found = {Declared()};
      return found;
    }
    if (!merged_.total.has_time() && merged_.memory.total.own_peak_bytes > 0)
      found = {MemoryPeak()};  // that there is no time was asked for
    if (!leaks.empty() && IsWorth(leaks.front())) found.push_back(Growth(leaks.front()));
    const double seconds = static_cast<double>(merged_.elapsed_ns) * 1e-9;
    const double copied = static_cast<double>(merged_.memory.total.copied.bytes);
    if (copied > 0 && copied >= kWorthCopying * seconds) found.push_back(Copies());
    return found;
  }

 private:
  std::vector<Verdict> FindTime() const {
    if (!merged_.total.has_time()) {
      Verdict none;
      none.of_ns = merged_.elapsed_ns;
      return {none};
    }
    const double cpu = static_cast<double>(merged_.total.cpu().ns);
    const double wait = static_cast<double>(merged_.total.main_wait_ns());
    const ThreadStats* main = MainThread();
    // A program that would run if the machine let it is not one that waits.
    const double queued =
        main == nullptr ? 0 : static_cast<double>(main->time[Activity::kRunWait].ns);
    std::vector<Verdict> found;
    if (cpu > 0 && cpu >= kWorthSaying * (cpu + wait - queued)) AddCpu(found);
    if (wait > 0 && wait >= kWorthSaying * (cpu + wait)) {
      const Verdict waiting = Wait();
      // What the workers do is what the run is bound by.
      const bool first = wait > cpu && waiting.workers_ns == 0;
      found.insert(first ? found.begin() : found.end(), waiting);
    }
    // Only worker threads were seen, all of them waiting.
    if (found.empty()) found.push_back(AnyWait());
    const uint64_t gil = merged_.total[Activity::kGilWait].ns;
    const bool told = std::any_of(found.begin(), found.end(),
                                  [](const Verdict& v) { return v.metric == Metric::kGilWait; });
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
    v.metric = Metric::kLiveAtPeak;
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
    v.metric = Metric::kCopied;
    v.bytes = merged_.memory.total.copied.bytes;
    v.of_ns = merged_.elapsed_ns;
    v.samples = merged_.memory.total.copied.samples;
    if (!merged_.memory.copies.empty()) SetPlace(v, merged_.memory.copies.front(), &Copied);
    return v;
  }

  Verdict Declared() const {
    const Metric metric = DefaultMetric(merged_);
    Verdict v;
    v.kind = Verdict::Kind::kDeclared;
    v.metric = metric;
    v.title = metrics_[metric].title;
    v.bytes = merged_.total[metric].ns;
    v.samples = merged_.total[metric].samples;
    const std::vector<LineRef> lines = RankLines(merged_, metric);
    if (lines.empty()) return v;
    SetPlace(v, lines.front(), &MemoryAtPeak);
    v.place_bytes = ScopedValue(metric, merged_.Line(lines.front()));
    return v;
  }

  static uint64_t MemoryAtPeak(const MemoryStats& stats) { return stats.at_peak.bytes(); }
  static uint64_t Copied(const MemoryStats& stats) { return stats.copied.bytes; }
  void SetPlace(Verdict& v, const LineRef& ref, uint64_t (*bytes)(const MemoryStats&)) const {
    const LineStats& line = merged_.Line(ref);
    v.path = merged_.files[ref.file].path;
    v.function = line.function;
    v.line = line.line;
    v.place_bytes = bytes(line.memory.scoped());
  }

  void AddCpu(std::vector<Verdict>& found) const {
    found.push_back(Cpu());
    const uint64_t gc = merged_.total.gc_ns();
    if (static_cast<double>(gc) < kWorthSaying * static_cast<double>(merged_.total.cpu().ns))
      return;
    found.insert(gc > found.front().ns ? found.begin() : found.end(), GarbageCollection());
  }

  Verdict Cpu() const {
    Verdict v;
    v.kind = Verdict::Kind::kCpu;
    v.of_ns = merged_.total.cpu().ns;
    for (size_t i = 0; i < format::kOnCpuCount; ++i) {
      const Activity activity = Activity(i);
      if (merged_.WithoutGc(activity) <= v.ns) continue;
      v.metric = metric::Of(activity);
      v.ns = merged_.WithoutGc(activity);
      v.samples = merged_.total[activity].samples;
    }
    SetPlace(v, [](const Breakdown& time) { return time.cpu().ns; });
    return v;
  }

  Verdict GarbageCollection() const {
    Verdict v;
    v.kind = Verdict::Kind::kGarbageCollection;
    v.metric = Metric::kGc;
    v.ns = merged_.total.gc_ns();
    v.of_ns = merged_.total.cpu().ns;
    v.samples = merged_.total.cpu().samples;
    SetPlace(v, [](const Breakdown& time) { return time.gc_ns(); });
    return v;
  }

  Verdict Wait() const {
    Verdict v;
    v.kind = Verdict::Kind::kWait;
    v.of_ns = merged_.elapsed_ns;
    const Breakdown& main = MainThread()->time;
    const Activity wait = SetLargestWait(v, main);
    const uint64_t workers = merged_.total.cpu().ns - main.cpu().ns;
    const uint64_t queued = merged_.total[Activity::kRunWait].ns - main[Activity::kRunWait].ns;
    if (IsForOthers(wait) && workers != 0 &&
        static_cast<double>(workers + queued) >= kBusyWorkers * static_cast<double>(v.ns))
      v.workers_ns = workers;
    SetPlace(v, [](const Breakdown& time) { return time.main_wait_ns(); });
    return v;
  }

  // Of the first process, which comes first; null when there is no thread at all.
  const ThreadStats* MainThread() const {
    const auto main = std::find_if(merged_.threads.begin(), merged_.threads.end(),
                                   [](const ThreadStats& thread) { return thread.main; });
    return main == merged_.threads.end() ? nullptr : &*main;
  }

  Verdict AnyWait() const {
    Verdict v;
    v.kind = Verdict::Kind::kWait;
    v.of_ns = merged_.elapsed_ns;
    const Activity wait = SetLargestWait(v, merged_.total);
    SetPlace(v, [&](const Breakdown& time) { return time[wait].ns; });
    return v;
  }

  Verdict Gil() const {
    Verdict v;
    v.kind = Verdict::Kind::kGilContention;
    v.metric = Metric::kGilWait;
    v.ns = merged_.total[Activity::kGilWait].ns;
    v.samples = merged_.total[Activity::kGilWait].samples;
    v.of_ns = merged_.elapsed_ns;
    SetPlace(v, [](const Breakdown& time) { return time[Activity::kGilWait].ns; });
    return v;
  }

  // Waits in which a thread may wait for others of its program: at a lock, at a pipe or socket
  // that a result comes through, for the end of a process.
  static bool IsForOthers(Activity wait) {
    return wait == Activity::kLockWait || wait == Activity::kIoWait ||
           wait == Activity::kChildWait || wait == Activity::kOtherWait;
  }

  static Activity SetLargestWait(Verdict& v, const Breakdown& time) {
    Activity largest = Activity::kOtherWait;
    for (size_t i = format::kOnCpuCount; i < format::kActivityCount; ++i) {
      const Activity activity = Activity(i);
      if (time[activity].ns <= v.ns) continue;
      largest = activity;
      v.ns = time[activity].ns;
      v.samples = time[activity].samples;
    }
    v.metric = metric::Of(largest);
    return largest;
  }

  // The line that has most of what `value` takes, which is what the tables say of it.
  template <class Value>
  void SetPlace(Verdict& v, Value value) const {
    v.outside_ns = value(merged_.outside);
    for (const FileStats& file : merged_.files) {
      for (const LineStats& line : file.lines) {
        if (value(line.scoped) <= v.place_ns) continue;
        v.place_ns = value(line.scoped);
        v.path = file.path;
        v.function = line.function;
        v.line = line.line;
      }
    }
  }

  const View& merged_;
  const metric::Table& metrics_;
};

}  // namespace

std::vector<Verdict> FindVerdicts(const View& merged, const metric::Table& metrics,
                                  const std::vector<LeakStats>& leaks) {
  return Finder(merged, metrics).Find(leaks);
}

}  // namespace pyrometer::analyze
