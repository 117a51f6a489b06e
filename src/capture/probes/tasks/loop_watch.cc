// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/tasks/loop_watch.h"

#include <sys/syscall.h>

#include <algorithm>
#include <utility>

namespace pyrometer::capture {
namespace {

// Users notice from about here on.
constexpr uint64_t kWorthNs = 50'000'000;
constexpr size_t kMaxLoops = 256;

bool WaitsForEvents(const os::BlockedCall& call) {
  switch (call.number) {
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
      return true;
    default:
      return false;
  }
}

}  // namespace

LoopWatch::LoopWatch(const Target& target, FindWait find_wait, format::CaptureWriter& writer)
    : target_(target),
      layout_(target.layout()),
      find_wait_(std::move(find_wait)),
      writer_(writer),
      memory_(target.pid()),
      reader_(memory_),
      objects_(cpython::FindObjectLayout(layout_.minor, layout_.free_threaded)) {}

void LoopWatch::Add(uint64_t loop) {
  if (loop != 0 && objects_ != nullptr && loops_.size() < kMaxLoops) loops_.try_emplace(loop);
}

void LoopWatch::Poll(uint64_t now_ns) {
  if (loops_.empty()) return;
  reader_.Renew(reader_.Used());
  for (auto it = loops_.begin(); it != loops_.end();)
    it = PollLoop(it->first, it->second, now_ns) ? std::next(it) : loops_.erase(it);
}

bool LoopWatch::PollLoop(uint64_t address, Loop& loop, uint64_t now_ns) {
  // Asked for each time: another loop may have begun at the address of one that
  // has ended.
  uint64_t queue = 0;
  cpython::ReadyQueue ready;
  if (!cpython::FindReadyQueue(layout_, *objects_, reader_, address, &queue) ||
      !cpython::ReadReadyQueue(layout_, reader_, queue, &ready)) {
    Release(loop, loop.held_until_ns);
    return false;
  }
  if (std::exchange(loop.queue, queue) != queue) {
    Release(loop, loop.held_until_ns);
    loop.polled_ns = 0;
  }
  const uint64_t before_ns = std::exchange(loop.polled_ns, now_ns);
  const cpython::ReadyQueue before = std::exchange(loop.ready, ready);
  // What holds it has ended, or began, in the middle of two polls, on average.
  const uint64_t middle_ns = before_ns + (now_ns - before_ns) / 2;
  if (before_ns == 0 || ready.BegunSince(before) != 0) Release(loop, middle_ns);
  if (!IsBusy(address, loop)) {
    Release(loop, middle_ns);
    return true;
  }
  if (loop.held_since_ns == 0) loop.held_since_ns = before_ns == 0 ? now_ns : middle_ns;
  loop.held_until_ns = now_ns;
  return true;
}

bool LoopWatch::IsBusy(uint64_t address, Loop& loop) {
  uint64_t pthread = 0;
  if (!cpython::ReadLoopThread(layout_, *objects_, reader_, address, &pthread)) return false;
  const ThreadCapture* const thread = target_.threads().FindByPthread(pthread);
  if (thread == nullptr) return false;
  if (!(loop.thread == thread->id)) {
    loop.thread = thread->id;
    loop.status =
        std::make_unique<os::ThreadStatus>(target_.pid(), static_cast<pid_t>(thread->tid));
  }
  const std::optional<os::BlockedCall> call = loop.status->ReadBlockedCall();
  if (!call) return true;
  if (WaitsForEvents(*call)) return false;
  if (const auto stack = find_wait_(*thread)) ++loop.stacks[*stack];
  return true;
}

void LoopWatch::OnSample(format::ThreadId thread, format::StackId stack) {
  for (auto& [address, loop] : loops_)
    if (loop.thread == thread) ++loop.stacks[stack];
}

void LoopWatch::Release(Loop& loop, uint64_t end_ns) {
  const uint64_t since_ns = std::exchange(loop.held_since_ns, 0);
  const std::map<format::StackId, uint32_t> stacks = std::exchange(loop.stacks, {});
  if (since_ns == 0 || end_ns < since_ns + kWorthNs || stacks.empty()) return;
  uint32_t count = 0;
  for (const auto& [stack, n] : stacks) count += n;
  const auto most = std::max_element(stacks.begin(), stacks.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  writer_.AddLoopBlock({*loop.thread, most->first, since_ns, end_ns - since_ns, count});
}

void LoopWatch::Close() {
  for (auto& [address, loop] : loops_) {
    Release(loop, loop.held_until_ns);
    loop.polled_ns = 0;
  }
}

}  // namespace pyrometer::capture
