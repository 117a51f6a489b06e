// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/tasks/task_sampler.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/clock.h"
#include "capture/core/remote_text.h"
#include "capture/stacks/python_stack.h"
#include "cpython/task_confirm.h"
#include "cpython/task_origin.h"

namespace pyrometer::capture {
namespace {

constexpr uint64_t kPollPeriodNs = 10'000'000;
// While there is nothing to see.
constexpr uint64_t kIdlePeriodNs = 40'000'000;
// A poll may cost this part of the time until the next one: half a percent of a CPU.
constexpr uint64_t kMostCost = 200;
// More tasks are not polled, but a share of them.
constexpr size_t kMaxTasks = 512;
constexpr uint32_t kMaxShareBits = 20;
constexpr size_t kMaxFrames = 512;
constexpr size_t kMaxOriginFrames = 32;
// A task that only samples have met is forgotten after this.
constexpr uint64_t kForgetNs = 1'000'000'000;

uint64_t ThreadCpuNs() { return base::NowNs(CLOCK_THREAD_CPUTIME_ID); }

// N of "Task-N", as tasks are called that nobody has named; else 0.
uint64_t DefaultNumber(std::string_view name) {
  constexpr std::string_view kPrefix = "Task-";
  uint64_t number = 0;
  if (!name.starts_with(kPrefix)) return 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, number);
  return error == std::errc() && stop == end ? number : 0;
}

}  // namespace

TaskSampler::TaskSampler(const ProbeContext& context, LoopWatch& loops)
    : process_(context.process),
      runtime_(context.target.runtime()),
      layout_(context.target.layout()),
      codes_(context.codes),
      stacks_(context.stacks),
      loops_(loops),
      writer_(context.writer),
      memory_(context.target.pid()),
      reader_(memory_) {}

void TaskSampler::Poll(uint64_t now_ns) {
  if (now_ns < next_ns_) return;
  const uint64_t begin = ThreadCpuNs();
  reader_.Renew(pages_);
  const bool ready = FindRegistries(now_ns);
  if (ready) ReadAll(now_ns);
  pages_ = reader_.Used();
  if (!ready) return;
  // What was read must be there once more, from memory that is read anew.
  reader_.Renew(pages_);
  const uint64_t half_ns = polled_ns_ == 0 ? 0 : (now_ns - polled_ns_) / 2;
  ChargeBefore(half_ns);
  for (const Found& found : found_) Place(found, now_ns, half_ns);
  DropGone(now_ns);
  AdaptShare();
  polled_ns_ = now_ns;
  const uint64_t period = tasks_.empty() ? kIdlePeriodNs : kPollPeriodNs;
  next_ns_ = now_ns + std::max(period, (ThreadCpuNs() - begin) * kMostCost);
}

bool TaskSampler::FindRegistries(uint64_t now_ns) {
  if (has_registries_) return true;
  has_registries_ = cpython::FindAsyncio(layout_, reader_, runtime_, &handles_);
  if (!has_registries_) {
    polled_ns_ = now_ns;
    next_ns_ = now_ns + kIdlePeriodNs;
  }
  return has_registries_;
}

void TaskSampler::ReadAll(uint64_t now_ns) {
  found_.clear();
  for (;; share_.bits += 2) {
    tasks_.resize(2 * kMaxTasks);
    size_t count = 0;
    all_tasks_ = cpython::ReadTasks(layout_, handles_, reader_, share_, tasks_, &count);
    tasks_.resize(count);
    if (count < 2 * kMaxTasks || share_.bits >= kMaxShareBits) break;
  }
  for (const cpython::Task& task : tasks_) {
    loops_.Add(task.loop);
    if (const auto it = known_.find(task.coroutine); it != known_.end())
      it->second.seen_ns = now_ns;
    if (task.state != cpython::TaskState::kSuspended && task.state != cpython::TaskState::kReady)
      continue;
    if (const std::optional<Found> found = Describe(task)) found_.push_back(*found);
  }
}

std::optional<TaskSampler::Found> TaskSampler::Describe(const cpython::Task& task) {
  frames_.resize(kMaxFrames);
  const cpython::AwaitChain chain =
      cpython::WalkAwaits(layout_, handles_.objects, reader_, task.coroutine, std::span(frames_));
  using enum cpython::AwaitOutcome;
  if (chain.outcome == kTorn) ++moving_;
  if (chain.outcome != kComplete && chain.outcome != kTruncated) return std::nullopt;
  Found found{task, chain, {}, {}};
  if (const auto it = known_.find(task.coroutine);
      it != known_.end() && Waited(it->second) && it->second.fingerprint == chain.fingerprint) {
    found.code = it->second.code;
    found.stack = it->second.stack;
    return found;
  }
  const auto frames = std::span<const cpython::PythonFrame>(frames_).first(chain.count);
  const auto code = codes_.CodeOf(reader_, frames.back().code);
  const auto stack = NamePythonStack(codes_, stacks_, reader_, frames, chain.omitted);
  if (!code || !stack) {
    ++moving_;
    return std::nullopt;
  }
  found.code = *code;
  found.stack = *stack;
  return found;
}

void TaskSampler::ChargeBefore(uint64_t half_ns) {
  for (auto& [coroutine, known] : known_)
    if (Waited(known)) Charge(known, half_ns, polled_ns_ + half_ns);
}

void TaskSampler::Charge(Known& known, uint64_t ns, uint64_t end_ns) {
  known.open_ns += ns * known.share;
  known.open_end_ns = end_ns;
}

void TaskSampler::Place(const Found& found, uint64_t now_ns, uint64_t half_ns) {
  if (!cpython::ConfirmTask(layout_, handles_, reader_, found.task, found.chain)) {
    ++moving_;
    return;
  }
  const auto state = found.task.state == cpython::TaskState::kReady
                         ? format::AwaitState::kReady
                         : format::AwaitState::kSuspended;
  Known& known = Meet(found.task, found.code, now_ns);
  // Where it has been elsewhere meanwhile, this wait is another one.
  if (!Waited(known) || !(known.stack == found.stack) || known.state != state) Close(known);
  known.placed_ns = now_ns;
  known.fingerprint = found.chain.fingerprint;
  known.stack = found.stack;
  known.state = state;
  known.share = uint64_t{1} << share_.bits;
  Charge(known, half_ns, now_ns);
  ++known.open_count;
}

TaskSampler::Known& TaskSampler::Meet(const cpython::Task& task, format::CodeId code,
                                      uint64_t now_ns) {
  const auto it = known_.find(task.coroutine);
  const bool same = it != known_.end() && it->second.code == code &&
                    (it->second.address == task.address || it->second.address == 0);
  Known& known = same ? it->second : Add(task.coroutine, code, now_ns);
  known.seen_ns = now_ns;
  if (known.address == 0) {
    known.address = task.address;
    if (const format::StackId origin = ReadOrigin(task); origin != format::kEmptyStack)
      writer_.AddTaskOrigin({known.id, origin});
  }
  if (known.name_object != task.name) {
    known.name_object = task.name;
    known.name = ReadName(task);
  }
  return known;
}

TaskSampler::Known& TaskSampler::Add(uint64_t coroutine, format::CodeId code, uint64_t now_ns) {
  const auto [it, fresh] = known_.try_emplace(coroutine);
  if (!fresh) EndTask(it->second);
  it->second = Known();
  it->second.id = writer_.AddTask({process_, code, now_ns, {}});
  it->second.code = code;
  it->second.seen_ns = now_ns;
  return it->second;
}

format::TaskName TaskSampler::ReadName(const cpython::Task& task) {
  cpython::TaskName name;
  if (!cpython::ReadTaskName(layout_, handles_, reader_, task, &name)) return {};
  if (name.text.data == 0) return {{}, name.number};
  const std::optional<std::string> text = CopyName(reader_, name.text);
  if (!text) return {};
  const uint64_t number = DefaultNumber(*text);
  return number != 0 ? format::TaskName{{}, number} : format::TaskName{writer_.Intern(*text), 0};
}

format::StackId TaskSampler::ReadOrigin(const cpython::Task& task) {
  cpython::OriginFrame frames[kMaxOriginFrames];
  const size_t count = cpython::ReadTaskOrigin(layout_, handles_, reader_, task, frames);
  format::StackId stack = format::kEmptyStack;
  for (const cpython::OriginFrame& frame : std::span(frames).first(count)) {
    const std::optional<std::string> path = CopyName(reader_, frame.path);
    const std::optional<std::string> function = CopyName(reader_, frame.function);
    if (!path || !function) return format::kEmptyStack;
    stack =
        stacks_.Stack(stack, stacks_.PythonFrame(stacks_.Code(*path, *function, 0), frame.line));
  }
  return stack;
}

std::optional<format::TaskId> TaskSampler::TaskOf(uint64_t coroutine, format::CodeId code,
                                                  uint64_t time_ns) {
  if (!has_registries_) return std::nullopt;
  const auto it = known_.find(coroutine);
  Known& known =
      it != known_.end() && it->second.code == code ? it->second : Add(coroutine, code, time_ns);
  known.seen_ns = std::max(known.seen_ns, time_ns);
  return known.id;
}

void TaskSampler::Close(Known& known) {
  if (known.open_count != 0 || known.open_ns != 0)
    writer_.AddAwait(
        {known.id, known.stack, known.state, known.open_end_ns, known.open_ns, known.open_count});
  known.open_ns = 0;
  known.open_count = 0;
}

void TaskSampler::EndTask(Known& known) {
  Close(known);
  if (known.address != 0) writer_.EndTask({known.id, known.seen_ns, known.name});
}

void TaskSampler::DropGone(uint64_t now_ns) {
  for (auto it = known_.begin(); it != known_.end();) {
    Known& known = it->second;
    const uint64_t patience = known.address != 0 ? 0 : kForgetNs;
    if (known.seen_ns + patience >= now_ns) {
      ++it;
      continue;
    }
    EndTask(known);
    it = known_.erase(it);
  }
}

void TaskSampler::AdaptShare() {
  while (share_.bits < kMaxShareBits && all_tasks_ >> share_.bits > kMaxTasks) ++share_.bits;
  while (share_.bits > 0 && all_tasks_ >> (share_.bits - 1) <= kMaxTasks / 2) --share_.bits;
}

void TaskSampler::Flush() {
  for (auto& [coroutine, known] : known_) Close(known);
}

void TaskSampler::End(uint64_t now_ns) {
  if (polled_ns_ != 0 && now_ns > polled_ns_) ChargeBefore((now_ns - polled_ns_) / 2);
  for (auto& [coroutine, known] : known_) EndTask(known);
  known_.clear();
}

}  // namespace pyrometer::capture
