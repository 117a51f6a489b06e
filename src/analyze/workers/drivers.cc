// SPDX-License-Identifier: Apache-2.0
#include "analyze/workers/drivers.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace pyrometer::analyze {
namespace {

using format::Activity;
using format::StackId;

// Samples of two threads are not taken at the same moment. What a thread does at a moment is
// known to one period of its clock, but to no better than waits are looked at.
constexpr uint64_t kLeastSlackNs = 5'000'000, kMostSlackNs = 20'000'000;
// Of threads in the user's code that are looked at for one worker. With more, it would seldom
// be clear whom it works for, and the work would grow with their number squared.
constexpr size_t kMostThreads = 64;

size_t TrackOf(Activity activity) {
  switch (activity) {
    case Activity::kIoWait:
    case Activity::kLockWait:
    case Activity::kChildWait:
    case Activity::kSleep:
      return 0;
    case Activity::kRunWait:
      return 1;
    default:
      return 2;
  }
}

// How far `time_ns` is from what the sample stands for.
uint64_t Distance(const profile::SampleColumns& samples, uint32_t i, uint64_t time_ns) {
  const uint64_t end = samples.time_ns[i];
  const uint64_t begin = end - std::min(end, samples.weight_ns[i]);
  return time_ns > end ? time_ns - end : time_ns < begin ? begin - time_ns : 0;
}

}  // namespace

Drivers::Drivers(const profile::Profile& profile, const OwnCode& own,
                 const std::vector<std::optional<size_t>>& main_of, const std::vector<bool>& wanted)
    : profile_(profile), own_(own), libraries_(profile), processes_(profile.processes.size()) {
  const profile::SampleColumns& samples = profile.samples;
  std::vector<Timeline> timelines(profile.threads.size());
  const auto process_of = [&](size_t thread) { return profile.threads[thread].info.process.value; };
  for (uint32_t i = 0; i < samples.size(); ++i) {
    const size_t thread = samples.thread[i].value;
    if (!wanted[process_of(thread)]) continue;
    const bool main = main_of[process_of(thread)] == thread;
    if (own.Spot(samples.stack[i]) || (main && own.Python(samples.stack[i]) != format::kEmptyStack))
      timelines[thread].tracks[TrackOf(samples.activity[i])].samples.push_back(i);
  }
  const auto by_time = [&](uint32_t a, uint32_t b) {
    return samples.time_ns[a] < samples.time_ns[b];
  };
  for (size_t thread = 0; thread < timelines.size(); ++thread) {
    Timeline& timeline = timelines[thread];
    if (timeline.size() == 0) continue;
    for (Track& track : timeline.tracks)
      if (!std::ranges::is_sorted(track.samples, by_time))
        std::ranges::stable_sort(track.samples, by_time);
    timeline.thread = format::ThreadId(static_cast<uint32_t>(thread));
    timeline.main = main_of[process_of(thread)] == thread;
    processes_[process_of(thread)].threads.push_back(std::move(timeline));
  }
  for (size_t i = 0; i < processes_.size(); ++i) {
    std::vector<Timeline>& threads = processes_[i].threads;
    std::ranges::stable_sort(threads, [](const Timeline& a, const Timeline& b) {
      return std::pair(!a.main, b.size()) < std::pair(!b.main, a.size());
    });
    threads.resize(std::min(threads.size(), kMostThreads));
    processes_[i].slack_ns =
        std::clamp(profile.processes[i].info.sample_period_ns, kLeastSlackNs, kMostSlackNs);
  }
}

size_t Drivers::Timeline::size() const {
  size_t size = 0;
  for (const Track& track : tracks) size += track.samples.size();
  return size;
}

Drivers::Found Drivers::Find(size_t index, const Worker& worker) {
  Process& process = processes_[index];
  const bool same_process = profile_.threads[worker.thread.value].info.process.value == index;
  struct Candidate {
    StackId stack;
    bool related;
    bool main;
  };
  std::vector<Candidate> candidates;
  bool in_own_code = false;
  for (Timeline& timeline : process.threads) {
    if (timeline.thread == worker.thread) continue;
    const State state = StateAt(process, timeline, worker, same_process, Where::kOwnCode);
    in_own_code = in_own_code || state.in_own_code;
    if (state.drives)
      candidates.push_back(
          {*state.drives, libraries_.Share(*state.drives, worker.stack), timeline.main});
  }
  if (candidates.empty()) return {in_own_code ? Outcome::kUnclear : Outcome::kNobody, {}};
  // Who is in the same library comes first, then who is the main thread.
  for (const bool Candidate::* better : {&Candidate::related, &Candidate::main})
    if (std::ranges::any_of(candidates, std::mem_fn(better)))
      std::erase_if(candidates, [&](const Candidate& one) { return !(one.*better); });
  // That several threads wait is no doubt if they do so at one line.
  const Candidate& first = candidates.front();
  if (std::ranges::any_of(candidates, [&](const Candidate& one) {
        return own_.Spot(one.stack) != own_.Spot(first.stack);
      }))
    return {Outcome::kUnclear, {}};
  return {Outcome::kFound, first.stack};
}

std::optional<StackId> Drivers::FindMainOutside(size_t index, const Worker& worker) {
  Process& process = processes_[index];
  if (process.threads.empty() || !process.threads.front().main) return std::nullopt;
  Timeline& main = process.threads.front();
  if (main.thread == worker.thread) return std::nullopt;
  return StateAt(process, main, worker, true, Where::kOutside).drives;
}

Drivers::State Drivers::StateAt(const Process& process, Timeline& timeline, const Worker& worker,
                                bool same_process, Where where) {
  State state;
  state.distance_ns = std::numeric_limits<uint64_t>::max();
  for (Track& track : timeline.tracks)
    Follow(track, process.slack_ns, worker, same_process, where, state);
  return state;
}

void Drivers::Follow(Track& track, uint64_t slack_ns, const Worker& worker, bool same_process,
                     Where where, State& state) {
  const profile::SampleColumns& samples = profile_.samples;
  const std::vector<uint32_t>& own = track.samples;
  const auto is_past = [&](uint32_t i) { return samples.time_ns[i] + slack_ns < worker.time_ns; };
  while (track.next < own.size() && is_past(own[track.next])) ++track.next;
  for (size_t at = track.next; at < own.size(); ++at) {
    const uint32_t i = own[at];
    const uint64_t distance = Distance(samples, i, worker.time_ns);
    if (distance > slack_ns) break;
    if (own_.Spot(samples.stack[i]).has_value() != (where == Where::kOwnCode)) continue;
    state.in_own_code = true;
    if (distance >= state.distance_ns || !Drives(i, worker, same_process)) continue;
    state.distance_ns = distance;
    state.drives = samples.stack[i];
    if (distance == 0) break;
  }
}

bool Drivers::Drives(uint32_t sample, const Worker& worker, bool same_process) {
  const StackId stack = profile_.samples.stack[sample];
  switch (profile_.samples.activity[sample]) {
    case Activity::kIoWait:
    case Activity::kLockWait:
    case Activity::kChildWait:
      return true;
    case Activity::kSleep:
      // Libraries look for results now and then; a line that says sleep wants to.
      return !own_.EndsInOwn(stack);
    case Activity::kNative:
    case Activity::kKernel:
    case Activity::kRunWait:
      // A caller that takes part in the work.
      return same_process && libraries_.ShareNative(stack, worker.stack);
    case Activity::kPython:
    case Activity::kGilWait:
    case Activity::kOtherWait:
      return false;
  }
  return false;
}

}  // namespace pyrometer::analyze
