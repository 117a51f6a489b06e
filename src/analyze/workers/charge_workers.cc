// SPDX-License-Identifier: Apache-2.0
#include "analyze/workers/charge_workers.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/report/outline.h"
#include "analyze/workers/drivers.h"
#include "analyze/workers/own_code.h"
#include "base/pair_index.h"

namespace pyrometer::analyze {
namespace {

using format::StackId;
using profile::Profile;

// Stacks that may be made. Beyond, workers keep their time, but not their frames.
constexpr size_t kMostStacks = 4'000'000;

// Makes stacks out of two: that of the driver and that of the worker.
class StackJoiner {
 public:
  StackJoiner(Profile& profile, const OwnCode& own)
      : profile_(profile), own_(own), first_(profile.stacks.size()) {
    threads_ = AddFrame(kWorkerThreads);
    processes_ = AddFrame(kWorkerProcesses);
  }

  StackId Join(StackId driver, StackId worker, bool same_process) {
    const StackId top = Add(own_.Python(driver), same_process ? threads_ : processes_);
    const auto [it, fresh] = joined_.try_emplace(uint64_t{top.value} << 32 | worker.value, top);
    if (!fresh || profile_.stacks.size() - first_ > kMostStacks) return it->second;
    // What the worker's process has inherited of its parent is not what it does.
    std::vector<format::FrameId> frames;
    for (StackId at = worker; at != format::kEmptyStack; at = profile_.stacks[at.value].parent) {
      frames.push_back(profile_.stacks[at.value].frame);
      if (own_.IsProcessRoot(at)) break;
    }
    for (size_t i = frames.size(); i-- > 0;) it->second = Add(it->second, frames[i]);
    return it->second;
  }

 private:
  format::FrameId AddFrame(std::string_view name) {
    format::FrameInfo frame;
    frame.kind = format::FrameKind::kSpecial;
    frame.name = format::StringId(static_cast<uint32_t>(profile_.strings.size()));
    profile_.strings.emplace_back(name);
    profile_.frames.push_back(frame);
    return format::FrameId(static_cast<uint32_t>(profile_.frames.size() - 1));
  }
  StackId Add(StackId parent, format::FrameId frame) {
    const uint32_t number = index_.Number(parent.value, frame.value);
    if (first_ + number == profile_.stacks.size()) profile_.stacks.push_back({parent, frame});
    return StackId(static_cast<uint32_t>(first_ + number));
  }

  Profile& profile_;
  const OwnCode& own_;
  const size_t first_;  // of the stacks that were made here
  format::FrameId threads_, processes_;
  base::PairIndex index_;  // of those, by caller and frame
  std::unordered_map<uint64_t, StackId> joined_;
};

// By index; a number may have been used again, so that of the last before it.
std::vector<std::optional<size_t>> FindParents(const Profile& profile) {
  std::vector<std::optional<size_t>> parents;
  std::unordered_map<uint64_t, size_t> by_pid;
  for (size_t i = 0; i < profile.processes.size(); ++i) {
    const format::ProcessInfo& info = profile.processes[i].info;
    const auto it = by_pid.find(info.parent_pid);
    parents.push_back(it == by_pid.end() ? std::nullopt : std::optional(it->second));
    by_pid[info.pid] = i;
  }
  return parents;
}

class Charger {
 public:
  explicit Charger(Profile& profile)
      : profile_(profile), main_of_(FindMainThreads(profile)), parents_(FindParents(profile)) {
    can_work_.assign(profile.threads.size(), true);
    // Nobody waits for the main thread of a program.
    for (size_t i = 0; i < main_of_.size(); ++i)
      if (main_of_[i] && !parents_[i]) can_work_[*main_of_[i]] = false;
  }

  void Charge() {
    // Most threads of most programs wait all the time: all that follows takes longer.
    if (!AnyWork()) return;
    const OwnCode own(profile_, FrameTable(profile_, {}));
    const std::vector<uint32_t> workers = FindWorkers(own);
    if (workers.empty()) return;
    Drivers drivers(profile_, own, main_of_, ProcessesAround(workers));
    StackJoiner joiner(profile_, own);
    std::vector<StackId> charged;  // not in place: a worker may be another one's driver
    for (const uint32_t i : workers) {
      const Drivers::Worker worker{profile_.samples.thread[i], profile_.samples.stack[i],
                                   profile_.samples.time_ns[i]};
      const auto [driver, same_process] = FindDriver(drivers, own, ProcessOf(i), worker);
      charged.push_back(driver ? joiner.Join(*driver, worker.stack, same_process) : worker.stack);
    }
    for (size_t i = 0; i < workers.size(); ++i) profile_.samples.stack[workers[i]] = charged[i];
  }

 private:
  struct Driver {
    std::optional<StackId> stack;
    bool same_process = true;
  };

  bool CanBeWork(size_t sample) const {
    return can_work_[profile_.samples.thread[sample].value] &&
           format::IsOnCpu(profile_.samples.activity[sample]);
  }

  bool AnyWork() const {
    for (size_t i = 0; i < profile_.samples.size(); ++i)
      if (CanBeWork(i)) return true;
    return false;
  }

  // The samples of workers, by time.
  std::vector<uint32_t> FindWorkers(const OwnCode& own) const {
    const profile::SampleColumns& samples = profile_.samples;
    std::vector<uint32_t> workers;
    for (uint32_t i = 0; i < samples.size(); ++i)
      if (CanBeWork(i) && !own.Spot(samples.stack[i])) workers.push_back(i);
    std::ranges::stable_sort(workers, {}, [&](uint32_t i) { return samples.time_ns[i]; });
    return workers;
  }

  size_t ProcessOf(uint32_t sample) const {
    return profile_.threads[profile_.samples.thread[sample].value].info.process.value;
  }

  // Those of workers, and their ancestors.
  std::vector<bool> ProcessesAround(const std::vector<uint32_t>& workers) const {
    std::vector<bool> around(profile_.processes.size());
    for (const uint32_t i : workers)
      for (std::optional<size_t> at = ProcessOf(i); at && !around[*at]; at = parents_[*at])
        around[*at] = true;
    return around;
  }

  // In its own process, else in the nearest of its ancestors in which anybody is in the
  // user's code.
  Driver FindDriver(Drivers& drivers, const OwnCode& own, size_t process,
                    const Drivers::Worker& worker) const {
    for (std::optional<size_t> at = process; at; at = parents_[*at]) {
      const Drivers::Found found = drivers.Find(*at, worker);
      if (found.outcome == Drivers::Outcome::kUnclear) return {};
      if (found.outcome == Drivers::Outcome::kFound) return {found.stack, at == process};
    }
    // A thread without any Python can at least have that of a library.
    if (own.Python(worker.stack) != format::kEmptyStack) return {};
    return {drivers.FindMainOutside(process, worker), true};
  }

  Profile& profile_;
  const std::vector<std::optional<size_t>> main_of_;  // thread by process
  const std::vector<std::optional<size_t>> parents_;  // by process
  std::vector<bool> can_work_;                        // by thread
};

// Another tool's samples have no times that could be compared.
bool IsImported(const Profile& profile) {
  return std::ranges::any_of(profile.counters, [](const profile::Counter& counter) {
    return counter.Is(metric::Counter::kImportedFrom);
  });
}

}  // namespace

void ChargeWorkers(Profile& profile) {
  if (profile.threads.size() > 1 && !IsImported(profile)) Charger(profile).Charge();
}

}  // namespace pyrometer::analyze
