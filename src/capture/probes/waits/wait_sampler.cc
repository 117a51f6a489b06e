// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/waits/wait_sampler.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "capture/stacks/classify.h"
#include "capture/stacks/python_stack.h"
#include "cpython/code_object.h"
#include "cpython/greenlet_walk.h"
#include "cpython/threads.h"

namespace pyrometer::capture {
namespace {

constexpr uint64_t kPollPeriodNs = 10'000'000;
// A thread that stays where it is needs fewer polls: one for each 1/64 of the
// wait so far, to which precision its end is then known.
constexpr uint64_t kMaxPollPeriodNs = 80'000'000;
constexpr uint64_t kPollShare = 64;
// A poll that is so late is worth a word.
constexpr uint64_t kLateNs = 100'000'000;
constexpr size_t kMaxThreads = 65536;
constexpr size_t kMaxFrames = 2048;
constexpr bool kSettled = true;                 // nothing blocks in the middle of a switch
constexpr uint64_t kNoStackEnd = ~uint64_t{0};  // not known from outside
// How often a new thread is polled beyond the budget, until it is found blocked: that
// costs a part of what it has cost to start it. And for how many of them in each period.
constexpr uint32_t kMeetings = 2;
constexpr uint64_t kMaxMeetings = 40;

}  // namespace

WaitSampler::WaitSampler(const ProbeContext& context)
    : pid_(context.target.pid()),
      runtime_(context.target.runtime()),
      layout_(context.target.layout()),
      codes_(context.codes),
      stacks_(context.stacks),
      writer_(context.writer),
      memory_(pid_),
      reader_(memory_),
      state_reader_(memory_) {}

std::vector<transport::RecordType> WaitSampler::Takes() const {
  return {transport::RecordType::kSample};
}

void WaitSampler::ThreadStarted(const ThreadCapture& thread) {
  Watched watched(&thread);
  watched.schedule.run_ns = thread.start_cpu_ns;
  watched.schedule.queued_ns = thread.start_queued_ns;
  threads_.insert_or_assign(&thread, std::move(watched));
  fresh_.push_back(&thread);
}

void WaitSampler::ThreadEnded(const ThreadCapture& thread, ThreadExit& exit) {
  const auto it = threads_.find(&thread);
  if (it == threads_.end()) return;
  Watched& watched = it->second;
  const uint64_t end_ns = exit.end_ns;
  const uint64_t run_ns = watched.schedule.run_ns;
  std::optional<uint64_t> busy;
  if (exit.cpu_ns) busy = *exit.cpu_ns > run_ns ? *exit.cpu_ns - run_ns : 0;
  const bool met = watched.account.blocked();
  const Wait unseen = Unseen(thread);
  watched.account.End(std::max(end_ns, watched.account.polled_ns()), busy, unseen, &spans_);
  if (watched.polls < 2 && end_ns - thread.start_ns < 2 * period_ns_) {
    WaitSpan all{unseen, end_ns, 0, 1};
    for (const WaitSpan& span : std::exchange(spans_, {})) {
      all.ns += span.ns;
      if (met) all.wait = span.wait;
    }
    if (met)
      short_threads_.AddMet(thread.id, all, period_ns_);
    else
      short_threads_.AddUnmet(thread.id, all);
  } else {
    WriteSpans(thread.id);
  }
  if (watched.polls != 0) exit.seen_cpu_ns = std::max(exit.seen_cpu_ns, run_ns);
  std::erase(fresh_, &thread);
  threads_.erase(it);
  owners_.clear();
}

void WaitSampler::OnSample(const ThreadCapture& thread, const transport::SampleRecord& /*record*/,
                           format::Sample& sample) {
  if (const auto it = threads_.find(&thread); it != threads_.end())
    it->second.account.OnCpu(sample.time_ns);
}

void WaitSampler::Meet(uint64_t now_ns) {
  if (paused_) return;
  if (!threads_.empty()) {
    uint64_t since_ns = tick_ns_;
    // Before the first poll, nothing has run for longer than the first thread.
    if (since_ns == 0)
      since_ns =
          std::ranges::min(std::views::keys(threads_), {}, &ThreadCapture::start_ns)->start_ns;
    if (now_ns > since_ns + kLateNs) unpolled_ns_ += now_ns - since_ns;
  }
  period_ns_ = now_ns - std::exchange(tick_ns_, now_ns);
  states_.reset();
  uint64_t left = kMaxMeetings * std::clamp<uint64_t>(period_ns_ / kPollPeriodNs, 1, 8);
  std::erase_if(fresh_, [&](const ThreadCapture* thread) {
    if (left == 0) return false;
    --left;
    Watched& watched = threads_.find(thread)->second;
    PollThread(watched, now_ns);
    return watched.account.blocked() || watched.polls >= kMeetings;
  });
}

bool WaitSampler::Poll(uint64_t now_ns, PollBudget& budget) {
  if (paused_) return true;
  auto it = threads_.upper_bound(polled_last_);
  bool spent = false;
  for (size_t left = threads_.size(); left != 0; --left, ++it) {
    if (it == threads_.end()) it = threads_.begin();
    if (now_ns < it->second.next_ns) continue;
    spent = spent || budget.Spent();
    if (spent) continue;
    if (it->second.next_ns != 0 && now_ns >= it->second.next_ns + kLateNs) ++put_off_;
    polled_last_ = it->first;
    PollThread(it->second, now_ns);
  }
  budget.Earn(std::exchange(ran_ns_, 0));
  return true;  // itself, it goes on where it has stopped
}

void WaitSampler::Pause(uint64_t /*now_ns*/) {
  paused_ = true;
  Flush();
}

void WaitSampler::Resume(uint64_t now_ns) {
  paused_ = false;
  tick_ns_ = now_ns;
  for (auto& [thread, watched] : threads_) {
    watched.account.Skip(now_ns, &spans_);
    WriteSpans(thread->id);
    if (!Open(watched)) continue;
    if (const auto schedule = watched.status->ReadSchedule()) watched.schedule = *schedule;
  }
}

void WaitSampler::Flush() {
  for (auto& [thread, watched] : threads_) {
    watched.account.Flush(&spans_);
    WriteSpans(thread->id);
  }
  Write(short_threads_.TakeOld());
  WriteGilWaits();
}

void WaitSampler::End(uint64_t /*now_ns*/, format::ProcessEnd& /*end*/) {
  Write(short_threads_.TakeAll());
  WriteGilWaits();
}

void WaitSampler::Report(Counters& counters) const {
  counters.Count(metric::Counter::kWaitStacksInMotion, torn_stacks_);
  counters.Count(metric::Counter::kThreadsWithoutWaits, unwatched_);
  counters.Count(metric::Counter::kWaitPollsPutOff, put_off_);
  counters.Count(metric::Counter::kWaitPollsMissed, unpolled_ns_);
  counters.Count(metric::Counter::kWaitsWithoutStacks, unreadable() ? 1 : 0);
}

std::optional<format::StackId> WaitSampler::StackOf(const ThreadCapture& thread) const {
  const auto it = threads_.find(&thread);
  if (it == threads_.end() || !it->second.account.blocked()) return std::nullopt;
  return it->second.account.wait().stack;
}

bool WaitSampler::Open(Watched& watched) {
  if (watched.status != nullptr) return !watched.status->out_of_files();
  watched.status =
      std::make_unique<os::ThreadStatus>(pid_, static_cast<pid_t>(watched.thread->tid));
  if (watched.status->out_of_files()) ++unwatched_;
  return !watched.status->out_of_files();
}

void WaitSampler::PollThread(Watched& watched, uint64_t now_ns) {
  watched.next_ns = now_ns + kPollPeriodNs;
  // Drained after `now_ns` was read, the thread may even be younger than that.
  if (now_ns <= watched.account.polled_ns() || !Open(watched)) return;
  const auto schedule = watched.status->ReadSchedule();
  if (!schedule) return;  // gone; its end record is on the way
  const uint64_t ran = schedule->run_ns - std::min(watched.schedule.run_ns, schedule->run_ns);
  const uint64_t queued =
      schedule->queued_ns - std::min(watched.schedule.queued_ns, schedule->queued_ns);
  const bool moved = !(*schedule == watched.schedule);
  const uint64_t polled_ns = watched.account.polled_ns();
  watched.schedule = *schedule;
  ran_ns_ += ran;
  ++watched.polls;
  if (!moved && watched.account.blocked()) {
    watched.account.Stay(now_ns, &spans_);
    // A thread that stays where it is needs fewer polls.
    watched.next_ns = now_ns + std::clamp(watched.account.still_ns() / kPollShare, kPollPeriodNs,
                                          kMaxPollPeriodNs);
  } else {
    watched.account.Move(now_ns, ran + queued, FindWait(watched), &spans_);
  }
  WriteSpans(watched.thread->id);
  if (queued == 0) return;
  // It was ready where it ran last, before it was blocked.
  const uint64_t ready_ns =
      watched.account.blocked() ? std::max(watched.account.begin_ns(), polled_ns) : now_ns;
  writer_.AddSample({ready_ns, watched.thread->id, watched.thread->leaf(),
                     format::Activity::kRunWait, queued, 1});
}

std::optional<Wait> WaitSampler::FindWait(Watched& watched) {
  // A thread that polls (as one that waits for the GIL does) may move just then.
  constexpr int kTries = 4;
  for (int i = 0; i < kTries; ++i) {
    // The first time, it has just been read.
    const auto before = i == 0 ? std::optional(watched.schedule) : watched.status->ReadSchedule();
    const auto call = watched.status->ReadBlockedCall();
    if (!before || !call) return std::nullopt;  // gone, or running
    if (!ReadStack(watched, call->stack_pointer, &first_)) continue;
    cpython::AddressRange gil;
    if (watched.tstate == 0 ||
        !cpython::ReadGilRange(layout_, reader_, runtime_, watched.tstate, &gil))
      gil = {};
    Wait wait;
    wait.activity = ClassifyBlocked(*call, gil.begin, gil.end);
    if (wait.activity == format::Activity::kGilWait) wait.gil_holder = FindGilHolder(watched);
    const bool named = NameStack(first_, &wait.stack);
    watched.pages = reader_.Used();
    const auto after = watched.status->ReadSchedule();
    if (named && after && *after == *before) return wait;
  }
  return std::nullopt;
}

bool WaitSampler::ReadStack(Watched& watched, uint64_t stack_pointer, WaitStack* frames) {
  // A new thread mostly runs what the last one ran.
  const bool is_new = watched.pages.empty();
  if (is_new) watched.pages = new_pages_;
  if (!ReadOnce(watched, stack_pointer, &second_)) return false;
  watched.pages = reader_.Used();
  if (is_new) new_pages_ = watched.pages;
  return ReadOnce(watched, stack_pointer, frames) && *frames == second_;
}

bool WaitSampler::ReadOnce(Watched& watched, uint64_t stack_pointer, WaitStack* frames) {
  // Pages read before, also for another thread, may be from before it moved.
  reader_.Renew(watched.pages);
  frames->count = frames->omitted = 0;
  if (watched.tstate == 0) watched.tstate = ThreadStates().Of(*watched.thread);
  frames->has_python = watched.tstate != 0;
  if (!frames->has_python) return true;
  frames->frames.resize(kMaxFrames);
  const cpython::WalkResult walk = cpython::WalkFrames(layout_, reader_, watched.tstate,
                                                       stack_pointer, std::span(frames->frames));
  if (walk.outcome == cpython::WalkOutcome::kTorn) {
    ++torn_stacks_;
    watched.tstate = 0;  // maybe it is another one's by now
    states_.reset();
    return false;
  }
  frames->count = walk.count;
  frames->omitted = walk.omitted;
  if (!watched.thread->greenlets.known()) return true;
  const std::span<cpython::PythonFrame> room(frames->frames);
  const cpython::WalkResult parents = cpython::WalkParentGreenlets(
      layout_, reader_, cpython::FreshExtents(layout_, reader_), watched.thread->greenlets,
      stack_pointer, kNoStackEnd, kSettled, room.first(walk.count), room.subspan(walk.count));
  if (parents.outcome == cpython::WalkOutcome::kComplete) frames->count += parents.count;
  return true;
}

bool WaitSampler::WaitStack::operator==(const WaitStack& other) const {
  return has_python == other.has_python && count == other.count && omitted == other.omitted &&
         std::equal(frames.begin(), frames.begin() + count, other.frames.begin(),
                    [](const cpython::PythonFrame& a, const cpython::PythonFrame& b) {
                      return a.frame == b.frame && a.code == b.code &&
                             a.instruction == b.instruction;
                    });
}

bool WaitSampler::NameStack(const WaitStack& frames, format::StackId* stack) {
  if (!frames.has_python) {
    *stack = stacks_.Stack(format::kEmptyStack, stacks_.SpecialFrame("<no Python>"));
    return true;
  }
  const auto named = NamePythonStack(codes_, stacks_, reader_,
                                     std::span(frames.frames).first(frames.count), frames.omitted);
  if (!named) ++torn_stacks_;
  *stack = named.value_or(format::kEmptyStack);
  return named.has_value();
}

const ThreadStateMap& WaitSampler::ThreadStates() {
  if (states_) return *states_;
  std::vector<cpython::PythonThread> states(std::min(kMaxThreads, threads_.size() + 64));
  size_t count = 0;
  state_reader_.Renew(state_reader_.Used());
  const bool read =
      cpython::ReadThreads(layout_, state_reader_, runtime_, std::span(states), &count);
  ever_read_ = ever_read_ || read;
  if (!read) ++failed_reads_;
  return states_.emplace(std::span(states).first(read ? count : 0));
}

std::optional<format::ThreadId> WaitSampler::FindGilHolder(const Watched& watched) {
  const uint64_t holder = cpython::ReadGilHolder(layout_, reader_, runtime_, watched.tstate);
  if (holder == 0) return std::nullopt;
  if (!owners_.contains(holder)) {
    const ThreadStateMap& states = ThreadStates();
    for (const auto& [thread, unused] : threads_)
      if (const uint64_t tstate = states.Of(*thread); tstate != 0)
        owners_.insert_or_assign(tstate, thread->id);
  }
  const auto it = owners_.find(holder);
  return it == owners_.end() ? std::nullopt : std::optional(it->second);
}

Wait WaitSampler::Unseen(const ThreadCapture& thread) {
  const format::StackId stack =
      thread.leaf() == format::kEmptyStack
          ? stacks_.Stack(format::kEmptyStack, stacks_.SpecialFrame("<short-lived thread>"))
          : thread.leaf();
  return {stack, format::Activity::kOtherWait, {}};
}

void WaitSampler::WriteSpans(format::ThreadId thread) {
  for (const WaitSpan& span : spans_) Write(thread, span);
  spans_.clear();
}

void WaitSampler::Write(format::ThreadId thread, const WaitSpan& span) {
  const Wait& wait = span.wait;
  writer_.AddSample({span.end_ns, thread, wait.stack, wait.activity, span.ns, span.count});
  if (wait.activity != format::Activity::kGilWait) return;
  const auto [it, fresh] = gil_waits_.try_emplace({thread, wait.gil_holder});
  if (fresh) it->second = {thread, wait.gil_holder, 0, 0};
  it->second.wait_ns += span.ns;
  it->second.count += span.count;
}

void WaitSampler::Write(const std::vector<ShortThreads::Placed>& waits) {
  for (const auto& [thread, span] : waits) Write(thread, span);
}

void WaitSampler::WriteGilWaits() {
  for (const auto& [threads, wait] : gil_waits_) writer_.AddGilWait(wait);
  gil_waits_.clear();
}

}  // namespace pyrometer::capture
