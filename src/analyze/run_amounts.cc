// SPDX-License-Identifier: Apache-2.0
#include "analyze/run_amounts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analyze/frame_table.h"
#include "analyze/memory_history.h"
#include "analyze/memory_moments.h"
#include "analyze/outline.h"
#include "analyze/relative_path.h"
#include "analyze/source_lines.h"
#include "analyze/stack_kinds.h"

namespace pyrometer::analyze {
namespace {

using format::Activity;
using profile::Profile;

constexpr size_t kMaxDepth = 200;

// What is the user's code must not depend on how long it took.
const Scope& AlikeInAllRuns(Scope& scope) {
  scope.open_packages = false;
  return scope;
}

size_t Index(Measure measure) { return static_cast<size_t>(measure); }

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

  RunAmounts Build() {
    Describe();
    AddSamples();
    for (const format::Await& await : profile_.awaits) {
      const double ns = static_cast<double>(await.wait_ns);
      Add(Measure::kAwait, await.stack, {ns, ns * ns, await.count});
    }
    AddMemory();
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

  void Add(Measure measure, format::StackId stack, const RunSum& sum) {
    run_.totals[Index(measure)].Add(sum);
    const auto spot = frames_.ScopedSpot(stack);
    if (!spot) {
      run_.outside[Index(measure)].Add(sum);
      return;
    }
    spots_[*spot][Index(measure)].Add(sum);
    nodes_[node_of_[stack.value]].sums[Index(measure)].Add(sum);
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
    for (const format::CounterInfo& counter : profile_.counters) {
      if (counter.kind != format::CounterKind::kFact || counter.name != format::kOnlyCpuFact)
        continue;
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
      // Waiting for a CPU is what other programs do to this one.
      if (activity == Activity::kRunWait) continue;
      const double ns = static_cast<double>(samples.weight_ns[i]);
      const RunSum sum{ns, ns * ns / samples.count[i], samples.count[i]};
      const auto add = [&](Measure measure) { Add(measure, samples.stack[i], sum); };
      const bool on_cpu = format::IsOnCpu(activity);
      add(on_cpu ? Measure::kCpu : Measure::kWait);
      if (on_cpu || samples.thread[i].value == main) add(Measure::kWall);
      if (activity == Activity::kPython) add(Measure::kPython);
      if (activity == Activity::kNative) add(Measure::kNative);
      if (activity == Activity::kKernel) add(Measure::kKernel);
      if (on_cpu && kinds_.InGc(samples.stack[i])) add(Measure::kGc);
    }
  }

  void AddMemory() {
    run_.has_memory = !profile_.memory_changes.empty() || !profile_.memory_peaks.empty();
    if (!run_.has_memory) return;
    for (const format::MemoryChange& change : profile_.memory_changes) {
      const bool copied = change.kind == format::MemoryKind::kCopied;
      Add(copied ? Measure::kCopied : Measure::kAllocated, change.stack, SumOf(change.allocated));
    }
    std::vector<uint64_t> ends_ns;
    for (const Span& span : FindSpans(profile_)) ends_ns.push_back(span.end);
    const MemoryHistory history(profile_, ends_ns);
    // The peak of a process is known better than that of several together.
    std::optional<format::ProcessId> process;
    if (profile_.processes.size() == 1) process = format::ProcessId(0);
    for (const MemoryHistory::Part& part : FindPeak(profile_, history, process).parts)
      Add(Measure::kMemory, part.place.stack,
          {static_cast<double>(part.live.bytes), part.live.variance, part.live.samples});
  }

  static bool IsEmpty(const RunSums& sums) {
    for (const RunSum& sum : sums)
      if (sum.samples != 0 || sum.value != 0) return false;
    return true;
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
      if (IsEmpty(spots_[i])) continue;
      const FrameTable::Spot& spot = frames_.spots()[i];
      const uint32_t function = FunctionOf(spot.function);
      for (size_t j = 0; j < kMeasureCount; ++j) run_.functions[function].sums[j].Add(spots_[i][j]);
      run_.lines.push_back({function, frames_.lines()[spot.line].number, spots_[i]});
    }
    for (const Node& node : nodes_) {
      if (IsEmpty(node.sums)) continue;
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

RunAmounts SumRun(const Profile& profile, const Scope& scope) {
  return RunBuilder(profile, scope).Build();
}

}  // namespace pyrometer::analyze
