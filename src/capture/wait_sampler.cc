// SPDX-License-Identifier: Apache-2.0
#include "capture/wait_sampler.h"

#include <algorithm>
#include <utility>

#include "capture/classify.h"
#include "capture/python_stack.h"
#include "cpython/code_object.h"
#include "cpython/threads.h"

namespace pyrometer::capture {
namespace {

constexpr uint64_t kLookPeriodNs = 10'000'000;
// A thread that stays where it is needs fewer looks: one for each 1/64 of the
// wait so far, to which precision its end is then known.
constexpr uint64_t kMaxLookPeriodNs = 80'000'000;
constexpr uint64_t kLookShare = 64;
// Waits are written at least this often.
constexpr uint64_t kMaxOpenNs = 1'000'000'000;
constexpr size_t kMaxThreads = 65536;
constexpr size_t kMaxFrames = 2048;

bool IsOf(const cpython::PythonThread& state, const ThreadCapture& thread) {
  return state.native_tid == thread.tid ||
         (state.native_tid == 0 && state.pthread == thread.pthread);
}

// The thread state of `thread`; 0 if it has none. Up to 3.11 the state of a thread
// that is about to begin still bears the number of the thread that starts it. The
// list has the newest first, so the last that fits is the thread's own.
uint64_t StateOf(const std::vector<cpython::PythonThread>& states, const ThreadCapture& thread) {
  uint64_t tstate = 0;
  for (const cpython::PythonThread& state : states)
    if (IsOf(state, thread)) tstate = state.tstate;
  return tstate;
}

}  // namespace

WaitSampler::WaitSampler(pid_t pid, uint64_t runtime, const cpython::Layout& layout,
                         CodeCache& codes, StackTable& stacks, format::CaptureWriter& writer)
    : pid_(pid),
      runtime_(runtime),
      layout_(layout),
      codes_(codes),
      stacks_(stacks),
      writer_(writer),
      memory_(pid),
      reader_(memory_) {}

void WaitSampler::AddThread(const ThreadCapture* thread, uint64_t now_ns) {
  Watched watched;
  watched.thread = thread;
  watched.status = std::make_unique<os::ThreadStatus>(pid_, static_cast<pid_t>(thread->tid));
  if (watched.status->out_of_files()) {
    ++unwatched_;
    return;
  }
  const auto schedule = watched.status->ReadSchedule();
  if (!schedule) return;
  watched.schedule = *schedule;
  watched.looked_ns = now_ns;
  watched.next_ns = now_ns + kLookPeriodNs;
  threads_.insert_or_assign(thread, std::move(watched));
}

uint64_t WaitSampler::EndThread(const ThreadCapture* thread, uint64_t now_ns) {
  const auto it = threads_.find(thread);
  if (it == threads_.end()) return 0;
  Watched& watched = it->second;
  // The rest of the wait in which it was seen last, or waits that no look met:
  // how long they were is known, what they were for is not.
  watched.looked_ns = now_ns;
  const Wait unseen{thread->leaf(), format::Activity::kOtherWait, {}};
  PlaceWait(watched, watched.still ? watched.wait : unseen);
  Close(watched);
  const uint64_t run_ns = watched.schedule.run_ns;
  threads_.erase(it);
  owners_.clear();
  WriteGilWaits();
  return run_ns;
}

void WaitSampler::Look(uint64_t now_ns) {
  for (auto& [thread, watched] : threads_)
    if (now_ns >= watched.next_ns) LookAt(watched, now_ns);
}

void WaitSampler::Flush() {
  for (auto& [thread, watched] : threads_) Close(watched);
  WriteGilWaits();
}

std::optional<format::StackId> WaitSampler::StackOf(const ThreadCapture& thread) const {
  const auto it = threads_.find(&thread);
  if (it == threads_.end() || !it->second.still) return std::nullopt;
  return it->second.wait.stack;
}

void WaitSampler::Resync(uint64_t now_ns) {
  for (auto& [thread, watched] : threads_) {
    Close(watched);
    if (const auto schedule = watched.status->ReadSchedule()) watched.schedule = *schedule;
    watched.looked_ns = now_ns;
    watched.unplaced_ns = 0;
    watched.still = false;
  }
}

void WaitSampler::LookAt(Watched& watched, uint64_t now_ns) {
  const auto schedule = watched.status->ReadSchedule();
  if (!schedule) return;  // gone; its end record is on the way
  const uint64_t elapsed = now_ns - watched.looked_ns;
  const uint64_t ran = schedule->run_ns - watched.schedule.run_ns;
  const uint64_t queued = schedule->queued_ns - watched.schedule.queued_ns;
  const bool moved = !(*schedule == watched.schedule);
  watched.looked_ns = now_ns;
  watched.schedule = *schedule;
  if (queued != 0) {
    // It was ready where it ran last.
    writer_.AddSample({now_ns, watched.thread->id, watched.thread->leaf(),
                       format::Activity::kRunWait, queued, 1});
  }
  watched.unplaced_ns += static_cast<int64_t>(elapsed - ran - queued);
  watched.next_ns = now_ns + kLookPeriodNs;

  if (!moved && watched.still) {
    PlaceWait(watched, watched.wait);
    watched.wait_ns += elapsed;
    watched.next_ns =
        now_ns + std::clamp(watched.wait_ns / kLookShare, kLookPeriodNs, kMaxLookPeriodNs);
    return;
  }
  const bool was_still = watched.still;
  const std::optional<Wait> found = FindWait(watched);
  watched.still = found.has_value();
  watched.wait_ns = 0;
  // It has left one wait and perhaps begun another since the last look. The end
  // of the first and the beginning of the second share the time.
  if (was_still && watched.unplaced_ns > 0) {
    const int64_t begun = watched.still ? watched.unplaced_ns / 2 : 0;
    watched.unplaced_ns -= begun;
    PlaceWait(watched, watched.wait);
    watched.unplaced_ns = begun;
  }
  if (found) PlaceWait(watched, *found);
}

std::optional<WaitSampler::Wait> WaitSampler::FindWait(Watched& watched) {
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
  return ReadOnce(watched, stack_pointer, &second_) && ReadOnce(watched, stack_pointer, frames) &&
         *frames == second_;
}

bool WaitSampler::ReadOnce(Watched& watched, uint64_t stack_pointer, WaitStack* frames) {
  // Pages read before, also for another thread, may be from before it moved.
  reader_.Renew(watched.pages);
  frames->count = frames->omitted = 0;
  if (watched.tstate == 0) watched.tstate = FindThreadState(watched);
  frames->has_python = watched.tstate != 0;
  if (!frames->has_python) return true;
  frames->frames.resize(kMaxFrames);
  const cpython::WalkResult walk = cpython::WalkFrames(layout_, reader_, watched.tstate,
                                                       stack_pointer, std::span(frames->frames));
  if (walk.outcome == cpython::WalkOutcome::kTorn) {
    ++torn_stacks_;
    watched.tstate = 0;  // maybe it is another one's by now
    return false;
  }
  frames->count = walk.count;
  frames->omitted = walk.omitted;
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

uint64_t WaitSampler::FindThreadState(const Watched& watched) {
  return StateOf(ReadThreadStates(), *watched.thread);
}

std::vector<cpython::PythonThread> WaitSampler::ReadThreadStates() {
  std::vector<cpython::PythonThread> states(std::min(kMaxThreads, threads_.size() + 64));
  size_t count = 0;
  const bool read = cpython::ReadThreads(layout_, reader_, runtime_, std::span(states), &count);
  ever_read_ = ever_read_ || read;
  ever_failed_ = ever_failed_ || !read;
  states.resize(read ? count : 0);
  return states;
}

std::optional<format::ThreadId> WaitSampler::FindGilHolder(const Watched& watched) {
  const uint64_t holder = cpython::ReadGilHolder(layout_, reader_, runtime_, watched.tstate);
  if (holder == 0) return std::nullopt;
  if (!owners_.contains(holder)) {
    const std::vector<cpython::PythonThread> states = ReadThreadStates();
    for (const auto& [thread, unused] : threads_)
      if (const uint64_t tstate = StateOf(states, *thread); tstate != 0)
        owners_.insert_or_assign(tstate, thread->id);
  }
  const auto it = owners_.find(holder);
  return it == owners_.end() ? std::nullopt : std::optional(it->second);
}

void WaitSampler::PlaceWait(Watched& watched, const Wait& wait) {
  if (!(wait.stack == watched.wait.stack) || wait.activity != watched.wait.activity) Close(watched);
  watched.wait = wait;
  if (watched.unplaced_ns > 0) {
    const auto placed_ns = static_cast<uint64_t>(watched.unplaced_ns);
    if (wait.activity == format::Activity::kGilWait) {
      const auto [it, fresh] = gil_waits_.try_emplace({watched.thread->id, wait.gil_holder});
      if (fresh) it->second = {watched.thread->id, wait.gil_holder, 0, 0};
      it->second.wait_ns += placed_ns;
      ++it->second.count;
    }
    watched.open_ns += placed_ns;
    watched.unplaced_ns = 0;
    ++watched.open_count;
  }
  if (watched.open_ns >= kMaxOpenNs) Close(watched);
}

void WaitSampler::WriteGilWaits() {
  for (const auto& [threads, wait] : gil_waits_) writer_.AddGilWait(wait);
  gil_waits_.clear();
}

void WaitSampler::Close(Watched& watched) {
  if (watched.open_ns != 0)
    writer_.AddSample({watched.looked_ns, watched.thread->id, watched.wait.stack,
                       watched.wait.activity, watched.open_ns, watched.open_count});
  watched.open_ns = 0;
  watched.open_count = 0;
}

}  // namespace pyrometer::capture
