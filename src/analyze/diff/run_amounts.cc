// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/run_amounts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analyze/code/frame_table.h"
#include "analyze/code/relative_path.h"
#include "analyze/code/source_lines.h"
#include "analyze/memory/memory_history.h"
#include "analyze/memory/memory_moments.h"
#include "analyze/report/outline.h"
#include "analyze/stacks/stack_kinds.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

using format::Activity;
using profile::Profile;

constexpr size_t kMaxDepth = 200;

// What is the user's code must not depend on how long it took.
const Scope& AlikeInAllRuns(Scope& scope) {
  scope.open_packages = false;
  return scope;
}

RunSum SumOf(const format::MemoryAmount& amount) {
  MemorySum sum;
  sum.Add(amount);
  return {static_cast<double>(sum.bytes), sum.variance, sum.samples};
}

// Adds up one run; exists for the duration of SumRun.
class RunBuilder {
 public:
  RunBuilder(const Profile& profile, Scope scope)
      : profile_(profile),
        frames_(profile, AlikeInAllRuns(scope)),
        kinds_(profile, frames_),
        spots_(frames_.spots().size()) {
    nodes_.emplace_back();
    PlaceStacks();
  }

  RunAmounts Build(metric::Table* table) {
    Describe();
    AddSamples();
    for (const format::Await& await : profile_.awaits) {
      const double ns = static_cast<double>(await.wait_ns);
      Add(Metric::kAwait, await.stack, {ns, ns * ns, await.count});
    }
    AddMemory();
    AddDeclared(table);
    FillRows();
    return std::move(run_);
  }

 private:
  // A function as it is called by the one of its parent. The first node is the root.
  struct Node {
    uint32_t parent = 0;
    uint32_t function = 0;
    size_t depth = 0;
    RunSums sums;
  };

  void PlaceStacks() {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;
    node_of_.resize(profile_.stacks.size());
    for (size_t i = 1; i < profile_.stacks.size(); ++i) {  // parents come first
      const format::StackInfo& stack = profile_.stacks[i];
      const uint32_t parent = node_of_[stack.parent.value];
      node_of_[i] = parent;
      if (!frames_.IsPython(stack.frame)) continue;
      const FrameTable::Spot& spot = frames_.spots()[frames_.SpotOf(stack.frame)];
      const bool again = parent != 0 && nodes_[parent].function == spot.function;
      if (!frames_.InScope(spot) || again || nodes_[parent].depth >= kMaxDepth) continue;
      const auto [it, fresh] =
          known.try_emplace({parent, spot.function}, static_cast<uint32_t>(nodes_.size()));
      if (fresh) nodes_.push_back({parent, spot.function, nodes_[parent].depth + 1, {}});
      node_of_[i] = it->second;
    }
  }

  void Add(Metric metric, format::StackId stack, const RunSum& sum) {
    run_.totals.Add(metric, sum);
    const auto spot = frames_.ScopedSpot(stack);
    if (!spot) {
      run_.outside.Add(metric, sum);
      return;
    }
    spots_[*spot].Add(metric, sum);
    nodes_[node_of_[stack.value]].sums.Add(metric, sum);
  }

  void Describe() {
    run_.command = profile_.run.command;
    run_.working_directory = profile_.run.working_directory;
    run_.start_unix_ns = profile_.run.start_unix_ns;
    run_.processes = profile_.processes.size();
    run_.complete = profile_.load.orderly_end && profile_.load.bytes_lost == 0;
    if (!profile_.processes.empty()) {
      const format::ProcessInfo& first = profile_.processes.front().info;
      run_.interpreter = first.interpreter;
      run_.clock = first.clock;
      run_.sample_period_ns = first.sample_period_ns;
    }
    for (const Span& span : FindSpans(profile_))
      run_.elapsed_ns = std::max(run_.elapsed_ns, span.end);
    run_.only_cpu = OnlyCpu();
  }

  std::optional<uint64_t> OnlyCpu() const {
    std::optional<uint64_t> cpu;
    size_t processes = 0;
    for (const profile::Counter& counter : profile_.counters) {
      if (!counter.Is(metric::Counter::kOnlyCpu)) continue;
      if (cpu && *cpu != counter.value) return {};
      cpu = counter.value;
      ++processes;
    }
    return processes == profile_.processes.size() ? cpu : std::nullopt;
  }

  void AddSamples() {
    const profile::SampleColumns& samples = profile_.samples;
    run_.has_time = samples.size() != 0;
    const std::vector<std::optional<size_t>> mains = FindMainThreads(profile_);
    // Whose waits people sit through; a number that no thread has where there is none.
    const size_t main = mains.empty() ? ~size_t{0} : mains.front().value_or(~size_t{0});
    for (size_t i = 0; i < samples.size(); ++i) {
      const Activity activity = samples.activity[i];
      const format::StackId stack = samples.stack[i];
      const double ns = static_cast<double>(samples.weight_ns[i]);
      const RunSum sum{ns, ns * ns / samples.count[i], samples.count[i]};
      metric::Mask parts = kinds_.PartsOf(stack, activity, samples.thread[i].value == main);
      if (activity == Activity::kRunWait) parts = metric::Bit(Metric::kRunQueue);
      for (; parts != 0; parts &= parts - 1) Add(Metric(std::countr_zero(parts)), stack, sum);
    }
  }

  void AddDeclared(metric::Table* table) {
    std::map<Metric, Metric> shared;
    for (const metric::Info& info : profile_.metrics.declared())
      if (const auto metric = table->Declare(info.name, metric::UnitName(info), info.title)) {
        shared[info.metric] = *metric;
        run_.declared |= metric::Bit(*metric);
      }
    for (const profile::Amount& amount : profile_.amounts)
      if (const auto metric = shared.find(amount.metric); metric != shared.end())
        Add(metric->second, amount.stack, {static_cast<double>(amount.value), 0, amount.count});
  }

  void AddMemory() {
    run_.has_memory = !profile_.memory_changes.empty() || !profile_.memory_peaks.empty();
    if (!run_.has_memory) return;
    for (const format::MemoryChange& change : profile_.memory_changes) {
      const bool copied = change.kind == format::MemoryKind::kCopied;
      Add(copied ? Metric::kCopied : Metric::kAllocated, change.stack, SumOf(change.allocated));
    }
    std::vector<uint64_t> ends_ns;
    for (const Span& span : FindSpans(profile_)) ends_ns.push_back(span.end);
    const MemoryHistory history(profile_, ends_ns);
    // The peak of a process is known better than that of several together.
    std::optional<format::ProcessId> process;
    if (profile_.processes.size() == 1) process = format::ProcessId(0);
    const auto add_all = [&](Metric metric, const MemoryMoment& moment) {
      for (const MemoryHistory::Part& part : moment.parts)
        Add(metric, part.place.stack,
            {static_cast<double>(part.live.bytes), part.live.variance, part.live.samples});
    };
    add_all(Metric::kLiveAtPeak, FindPeak(profile_, history, process));
    add_all(Metric::kLiveAtExit, FindEnd(profile_, history, process));
  }

  uint32_t FileOf(uint32_t file) {
    const auto [it, fresh] = files_.try_emplace(file, static_cast<uint32_t>(run_.files.size()));
    if (fresh) {
      const std::string& path = frames_.files()[file].path;
      run_.files.push_back({path, std::string(RelativePath(path, run_.working_directory)), {}});
    }
    return it->second;
  }

  uint32_t FunctionOf(uint32_t function) {
    const auto [it, fresh] =
        functions_.try_emplace(function, static_cast<uint32_t>(run_.functions.size()));
    if (fresh) {
      const FrameTable::Function& from = frames_.functions()[function];
      run_.functions.push_back({FileOf(from.file), from.name, from.first_line, {}});
    }
    return it->second;
  }

  void FillRows() {
    for (size_t i = 0; i < spots_.size(); ++i) {
      if (spots_[i].empty()) continue;
      const FrameTable::Spot& spot = frames_.spots()[i];
      const uint32_t function = FunctionOf(spot.function);
      run_.functions[function].sums.Add(spots_[i]);
      run_.lines.push_back({function, frames_.lines()[spot.line].number, spots_[i]});
    }
    for (const Node& node : nodes_) {
      if (node.sums.empty()) continue;
      RunAmounts::Path path{.functions = {}, .sums = node.sums};
      for (const Node* at = &node; at->depth != 0; at = &nodes_[at->parent])
        path.functions.insert(path.functions.begin(), FunctionOf(at->function));
      run_.paths.push_back(std::move(path));
    }
    std::unordered_map<std::string, size_t> by_path;
    for (size_t i = 0; i < run_.files.size(); ++i) by_path.emplace(run_.files[i].path, i);
    for (const format::SourceInfo& source : profile_.sources)
      if (const auto it = by_path.find(profile_.Text(source.path)); it != by_path.end())
        run_.files[it->second].lines = SplitLines(source.text);
  }

  const Profile& profile_;
  const FrameTable frames_;
  const StackKinds kinds_;
  std::vector<RunSums> spots_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> node_of_;  // by StackId
  std::unordered_map<uint32_t, uint32_t> files_, functions_;
  RunAmounts run_;
};

}  // namespace

RunSum RunSums::operator[](Metric metric) const {
  const metric::Mask parts = metric::PartsOf(metric);
  const metric::Mask queue = metric::Bit(Metric::kRunQueue);
  return sums_.Sum(parts == queue ? parts : parts & ~queue);
}

RunAmounts SumRun(const Profile& profile, const Scope& scope, metric::Table* table) {
  return RunBuilder(profile, scope).Build(table);
}

CodeListing ListingOf(const RunAmounts& run) {
  CodeListing listing;
  for (const RunAmounts::File& file : run.files)
    listing.files.push_back({file.relative, file.lines});
  for (const RunAmounts::Function& function : run.functions)
    listing.functions.push_back({function.file, function.name, function.first_line});
  for (const RunAmounts::Line& line : run.lines)
    listing.lines.push_back({line.function, line.line});
  return listing;
}

}  // namespace pyrometer::analyze
