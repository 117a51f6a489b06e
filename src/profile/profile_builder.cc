// SPDX-License-Identifier: Apache-2.0
#include "profile/profile_builder.h"

#include <algorithm>
#include <utility>

#include "profile/sample_order.h"

namespace pyrometer::profile {
namespace {

// 36 years. Anything beyond is not a time that was measured, and would spoil
// every sum that it enters.
constexpr uint64_t kMaxPlausibleNs = uint64_t{1} << 60;

// No machine has so much memory, and sums of amounts below stay sums.
constexpr uint64_t kMaxPlausibleAmount = (uint64_t{1} << 61) - 1;

bool IsPlausible(const format::MemoryAmount& amount) {
  return amount.bytes <= kMaxPlausibleAmount && amount.blocks <= kMaxPlausibleAmount &&
         amount.samples <= kMaxPlausibleAmount && amount.variance_kib2 <= kMaxPlausibleAmount;
}

template <class Record>
bool Append(uint32_t id, Record record, IdMap& ids, std::vector<Record>& table) {
  ids.Add(id, static_cast<uint32_t>(table.size()));
  table.push_back(std::move(record));
  return true;
}

// Puts `record` in the place of the earlier one with the same key, if any.
template <class Key, class Record>
bool Replace(const Key& key, Record record, std::map<Key, size_t>& places,
             std::vector<Record>& table) {
  const auto [it, is_new] = places.try_emplace(key, table.size());
  if (is_new) {
    table.push_back(std::move(record));
  } else {
    table[it->second] = std::move(record);
  }
  return true;
}

}  // namespace

ProfileBuilder::ProfileBuilder() {
  Append<std::string>(format::kEmptyString.value, {}, strings_, profile_.strings);
  Append<format::StackInfo>(format::kEmptyStack.value, {}, stacks_, profile_.stacks);
}

Profile ProfileBuilder::Take() {
  std::ranges::sort(profile_.symbols, {}, &format::SymbolInfo::frame);
  OrderByTime(&profile_.samples, profile_.threads.size());
  return std::move(profile_);
}

bool ProfileBuilder::OnRun(format::RunInfo run) {
  if (has_run_) return false;
  has_run_ = true;
  profile_.run = std::move(run);
  return true;
}

bool ProfileBuilder::OnString(format::StringId id, std::string_view text) {
  return Append(id.value, std::string(text), strings_, profile_.strings);
}

bool ProfileBuilder::OnProcess(format::ProcessId id, format::ProcessInfo process) {
  return Append(id.value, Process{std::move(process), {}}, processes_, profile_.processes);
}

bool ProfileBuilder::OnThread(format::ThreadId id, format::ThreadInfo thread) {
  return processes_.Translate(thread.process) &&
         Append(id.value, Thread{std::move(thread), {}}, threads_, profile_.threads);
}

bool ProfileBuilder::OnCode(format::CodeId id, format::CodeInfo code) {
  return strings_.Translate(code.filename) && strings_.Translate(code.qualname) &&
         Append(id.value, code, codes_, profile_.codes);
}

bool ProfileBuilder::OnModule(format::ModuleId id, format::ModuleInfo module) {
  return strings_.Translate(module.path) &&
         Append(id.value, std::move(module), modules_, profile_.modules);
}

bool ProfileBuilder::OnFrame(format::FrameId id, format::FrameInfo frame) {
  bool defined = false;
  switch (frame.kind) {
    case format::FrameKind::kPython:
      defined = codes_.Translate(frame.code);
      break;
    case format::FrameKind::kNative:
      defined = modules_.Translate(frame.module);
      break;
    case format::FrameKind::kSpecial:
      defined = strings_.Translate(frame.name);
      break;
  }
  return defined && Append(id.value, frame, frames_, profile_.frames);
}

bool ProfileBuilder::OnStack(format::StackId id, format::StackInfo stack) {
  return stacks_.Translate(stack.parent) && frames_.Translate(stack.frame) &&
         Append(id.value, stack, stacks_, profile_.stacks);
}

void ProfileBuilder::ExpectSamples(size_t count) {
  const auto reserve = [count](auto&... columns) { (columns.reserve(count), ...); };
  SampleColumns& columns = profile_.samples;
  reserve(columns.time_ns, columns.thread, columns.stack, columns.activity, columns.weight_ns,
          columns.count, columns.task);
}

bool ProfileBuilder::Translate(format::Sample& sample) const {
  return threads_.Translate(sample.thread) && stacks_.Translate(sample.stack) &&
         sample.count != 0 && sample.time_ns <= kMaxPlausibleNs &&
         sample.weight_ns <= kMaxPlausibleNs && (!sample.task || tasks_.Translate(*sample.task));
}

bool ProfileBuilder::OnSample(const format::Sample& sample) {
  return OnSamples(std::span(&sample, 1)) == 0;
}

size_t ProfileBuilder::OnSamples(std::span<const format::Sample> samples) {
  SampleColumns& columns = profile_.samples;
  const auto resize = [&](size_t size) {
    const auto each = [size](auto&... column) { (column.resize(size), ...); };
    each(columns.time_ns, columns.thread, columns.stack, columns.activity, columns.weight_ns,
         columns.count, columns.task);
  };
  const size_t before = columns.size();
  resize(before + samples.size());
  size_t next = before;
  for (format::Sample sample : samples) {
    if (!Translate(sample)) continue;
    columns.time_ns[next] = sample.time_ns;
    columns.thread.Set(next, sample.thread);
    columns.stack[next] = sample.stack;
    columns.activity[next] = sample.activity;
    columns.weight_ns.Set(next, sample.weight_ns);
    columns.count.Set(next, sample.count);
    columns.task.Set(next, sample.task);
    ++next;
  }
  resize(next);
  return before + samples.size() - next;
}

bool ProfileBuilder::OnSymbol(format::SymbolInfo symbol) {
  bool defined = frames_.Translate(symbol.frame);
  for (format::SymbolLine& line : symbol.lines) {
    defined = defined && strings_.Translate(line.function) && strings_.Translate(line.file);
  }
  const format::FrameId frame = symbol.frame;
  return defined && Replace(frame, std::move(symbol), symbol_places_, profile_.symbols);
}

bool ProfileBuilder::OnSource(format::SourceInfo source) {
  if (!strings_.Translate(source.path)) return false;
  const format::StringId path = source.path;
  return Replace(path, std::move(source), source_places_, profile_.sources);
}

bool ProfileBuilder::OnCounter(format::CounterInfo counter) {
  if (!processes_.Translate(counter.process)) return false;
  const CounterKey key(counter.process, metric::ReadCounterName(counter.kind, counter.name));
  return Replace(key, Counter{counter.process, key.second, counter.value}, counter_places_,
                 profile_.counters);
}

bool ProfileBuilder::OnThreadEnd(format::ThreadEnd end) {
  if (!threads_.Translate(end.thread)) return false;
  Thread& thread = profile_.threads[end.thread.value];
  thread.end = std::move(end);
  return true;
}

bool ProfileBuilder::OnProcessEnd(format::ProcessEnd end) {
  if (!processes_.Translate(end.process)) return false;
  profile_.processes[end.process.value].end = end;
  return true;
}

bool ProfileBuilder::OnRunEnd(format::RunEnd end) {
  profile_.run_end = end;
  return true;
}

bool ProfileBuilder::OnGilWait(format::GilWait wait) {
  if (!threads_.Translate(wait.waiter) || (wait.holder && !threads_.Translate(*wait.holder)) ||
      wait.count == 0 || wait.wait_ns > kMaxPlausibleNs)
    return false;
  const auto process_of = [this](format::ThreadId id) {
    return profile_.threads[id.value].info.process;
  };
  if (wait.holder && !(process_of(*wait.holder) == process_of(wait.waiter))) return false;
  const auto [it, fresh] =
      gil_places_.try_emplace({wait.waiter, wait.holder}, profile_.gil_waits.size());
  if (fresh) {
    profile_.gil_waits.push_back(wait);
    return true;
  }
  format::GilWait& sum = profile_.gil_waits[it->second];
  if (wait.wait_ns > kMaxPlausibleNs - sum.wait_ns) return false;
  sum.wait_ns += wait.wait_ns;
  sum.count += wait.count;
  return true;
}

bool ProfileBuilder::OnRegion(format::RegionInfo region) {
  if (!threads_.Translate(region.thread) || !strings_.Translate(region.name) ||
      region.begin_ns > kMaxPlausibleNs || region.length_ns > kMaxPlausibleNs ||
      region.cpu_ns > kMaxPlausibleNs)
    return false;
  profile_.regions.push_back(region);
  return true;
}

bool ProfileBuilder::OnProfiledFunction(format::ProfiledFunction function) {
  if (!codes_.Translate(function.code)) return false;
  const auto [it, fresh] =
      profiled_places_.try_emplace(function.code, profile_.profiled_functions.size());
  if (fresh)
    profile_.profiled_functions.push_back(function);
  else if (!function.inner)
    profile_.profiled_functions[it->second].inner = false;
  return true;
}

bool ProfileBuilder::OnTask(format::TaskId id, format::TaskInfo task) {
  return processes_.Translate(task.process) && codes_.Translate(task.coroutine) &&
         strings_.Translate(task.name.text) && task.start_ns <= kMaxPlausibleNs &&
         Append(id.value, Task{task, {}, {}}, tasks_, profile_.tasks);
}

bool ProfileBuilder::OnTaskEnd(format::TaskEnd end) {
  if (!tasks_.Translate(end.task) || !strings_.Translate(end.name.text) ||
      end.end_ns > kMaxPlausibleNs)
    return false;
  profile_.tasks[end.task.value].end = end;
  return true;
}

bool ProfileBuilder::OnTaskOrigin(format::TaskOrigin origin) {
  if (!tasks_.Translate(origin.task) || !stacks_.Translate(origin.stack)) return false;
  profile_.tasks[origin.task.value].origin = origin.stack;
  return true;
}

bool ProfileBuilder::OnAwait(format::Await await) {
  if (!tasks_.Translate(await.task) || !stacks_.Translate(await.stack) ||
      await.time_ns > kMaxPlausibleNs || await.wait_ns > kMaxPlausibleNs)
    return false;
  profile_.awaits.push_back(await);
  return true;
}

bool ProfileBuilder::OnLoopBlock(format::LoopBlock block) {
  if (!threads_.Translate(block.thread) || !stacks_.Translate(block.stack) || block.count == 0 ||
      block.begin_ns > kMaxPlausibleNs || block.length_ns > kMaxPlausibleNs)
    return false;
  profile_.loop_blocks.push_back(block);
  return true;
}

bool ProfileBuilder::OnMemoryChange(const format::MemoryChange& change) {
  format::MemoryChange kept = change;
  if (!threads_.Translate(kept.thread) || !stacks_.Translate(kept.stack) ||
      kept.time_ns > kMaxPlausibleNs || !IsPlausible(kept.allocated) || !IsPlausible(kept.freed) ||
      kept.high_bytes > kMaxPlausibleAmount)
    return false;
  profile_.memory_changes.push_back(kept);
  return true;
}

bool ProfileBuilder::Translate(format::LiveMemory& part, format::ProcessId process) const {
  return threads_.Translate(part.thread) && stacks_.Translate(part.stack) &&
         strings_.Translate(part.type) && IsPlausible(part.amount) &&
         profile_.threads[part.thread.value].info.process == process;
}

// Without one of its parts, what was live would be another amount: all or nothing.
bool ProfileBuilder::OnMemoryPeak(format::MemoryPeak peak) {
  if (!processes_.Translate(peak.process) || peak.time_ns > kMaxPlausibleNs) return false;
  const format::ProcessId process = peak.process;
  for (format::LiveMemory& part : peak.parts)
    if (!Translate(part, process)) return false;
  return Replace(process, std::move(peak), peak_places_, profile_.memory_peaks);
}

bool ProfileBuilder::OnMemorySurvivors(format::MemorySurvivors survivors) {
  if (!processes_.Translate(survivors.process) || survivors.time_ns > kMaxPlausibleNs) return false;
  const format::ProcessId process = survivors.process;
  for (format::LiveMemory& part : survivors.parts)
    if (!Translate(part, process)) return false;
  return Replace(process, std::move(survivors), survivor_places_, profile_.memory_survivors);
}

bool ProfileBuilder::OnMemoryLevel(format::MemoryLevel level) {
  const uint64_t largest =
      std::max({level.rss_bytes, level.pss_bytes, level.python_bytes, level.native_bytes,
                level.mapped_bytes, level.arena_bytes, level.small_bytes});
  if (!processes_.Translate(level.process) || level.time_ns > kMaxPlausibleNs ||
      largest > kMaxPlausibleAmount)
    return false;
  profile_.memory_levels.push_back(level);
  return true;
}

bool ProfileBuilder::OnMetric(format::MetricId id, format::MetricInfo metric) {
  if (!strings_.Translate(metric.name) || !strings_.Translate(metric.unit) ||
      !strings_.Translate(metric.title))
    return false;
  const auto known = profile_.metrics.Declare(
      profile_.Text(metric.name), profile_.Text(metric.unit), profile_.Text(metric.title));
  if (known) metrics_.emplace(id, *known);
  return known.has_value();
}

bool ProfileBuilder::OnMetricAmount(format::MetricAmount amount) {
  const auto metric = metrics_.find(amount.metric);
  if (metric == metrics_.end() || !threads_.Translate(amount.thread) ||
      !stacks_.Translate(amount.stack) || amount.time_ns.value_or(0) > kMaxPlausibleNs ||
      amount.value > kMaxPlausibleAmount || amount.count > kMaxPlausibleAmount)
    return false;
  profile_.amounts.push_back(
      {metric->second, amount.thread, amount.stack, amount.time_ns, amount.value, amount.count});
  return true;
}

}  // namespace pyrometer::profile
