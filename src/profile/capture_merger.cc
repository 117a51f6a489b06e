// SPDX-License-Identifier: Apache-2.0
#include "profile/capture_merger.h"

#include <algorithm>
#include <utility>

namespace pyrometer::profile {
namespace {

using format::FrameInfo;
using format::FrameKind;

template <class Id>
void Move(Id& id, const std::vector<Id>& places) {
  id = places[id.value];
}

}  // namespace

void CaptureMerger::Add(const Profile& profile, uint64_t offset_ns) {
  offset_ns_ = offset_ns;
  places_ = {};
  AddDefinitions(profile);
  AddOwners(profile);
  AddMeasurements(profile);
  AddMemory(profile);
  AddAmounts(profile);
  AddCounters(profile);
  if (profile.run_end) end_ns_ = std::max(end_ns_, At(profile.run_end->end_ns));
}

void CaptureMerger::AddDefinitions(const Profile& profile) {
  for (const std::string& text : profile.strings)
    places_.strings.push_back(text.empty() ? format::kEmptyString : writer_.Intern(text));
  for (format::CodeInfo code : profile.codes) {
    Move(code.filename, places_.strings);
    Move(code.qualname, places_.strings);
    const auto [it, fresh] =
        codes_.try_emplace({code.filename.value, code.qualname.value, code.first_line});
    if (fresh) it->second = writer_.AddCode(code);
    places_.codes.push_back(it->second);
  }
  for (format::ModuleInfo module : profile.modules) {
    Move(module.path, places_.strings);
    const auto [it, fresh] = modules_.try_emplace({module.path.value, module.build_id});
    if (fresh) it->second = writer_.AddModule(module);
    places_.modules.push_back(it->second);
  }
  AddFrames(profile);
  places_.stacks.push_back(format::kEmptyStack);
  for (size_t i = 1; i < profile.stacks.size(); ++i) {
    format::StackInfo stack = profile.stacks[i];
    Move(stack.parent, places_.stacks);
    Move(stack.frame, places_.frames);
    const uint32_t known = stacks_.size();
    const uint32_t number = stacks_.Number(stack.parent.value, stack.frame.value);
    if (number == known) writer_.AddStack(stack);
    places_.stacks.emplace_back(number + 1);
  }
  for (const format::SourceInfo& source : profile.sources) {
    const format::StringId path = places_.strings[source.path.value];
    if (sources_.insert(path.value).second) writer_.AddSource({path, source.text});
  }
  for (const format::ProfiledFunction& function : profile.profiled_functions)
    writer_.AddProfiledFunction({places_.codes[function.code.value], function.inner});
}

void CaptureMerger::AddFrames(const Profile& profile) {
  auto symbol = profile.symbols.begin();
  for (uint32_t i = 0; i < profile.frames.size(); ++i) {
    FrameInfo frame = profile.frames[i];
    format::SymbolInfo named;
    if (symbol != profile.symbols.end() && symbol->frame.value == i) {
      named = *symbol++;
      for (format::SymbolLine& line : named.lines) {
        Move(line.function, places_.strings);
        Move(line.file, places_.strings);
      }
    }
    FrameKey key{frame.kind, 0, frame.line, frame.address, {}};
    switch (frame.kind) {
      case FrameKind::kPython:
        Move(frame.code, places_.codes);
        std::get<1>(key) = frame.code.value;
        break;
      case FrameKind::kNative:
        Move(frame.module, places_.modules);
        std::get<1>(key) = frame.module.value;
        break;
      case FrameKind::kSpecial:
        Move(frame.name, places_.strings);
        std::get<1>(key) = frame.name.value;
        break;
    }
    for (const format::SymbolLine& line : named.lines)
      std::get<4>(key).emplace_back(line.function.value, line.file.value, line.line);
    const auto [it, fresh] = frames_.try_emplace(std::move(key));
    if (fresh) {
      it->second = writer_.AddFrame(frame);
      if (!named.lines.empty()) writer_.AddSymbol({it->second, std::move(named.lines)});
    }
    places_.frames.push_back(it->second);
  }
}

void CaptureMerger::AddOwners(const Profile& profile) {
  for (const Process& process : profile.processes) {
    format::ProcessInfo info = process.info;
    info.start_ns = At(info.start_ns);
    places_.processes.push_back(writer_.AddProcess(info));
    if (!process.end) continue;
    format::ProcessEnd end = *process.end;
    end.process = places_.processes.back();
    end.end_ns = At(end.end_ns);
    end_ns_ = std::max(end_ns_, end.end_ns);
    writer_.EndProcess(end);
  }
  for (const Thread& thread : profile.threads) {
    format::ThreadInfo info = thread.info;
    Move(info.process, places_.processes);
    info.start_ns = At(info.start_ns);
    places_.threads.push_back(writer_.AddThread(info));
    if (!thread.end) continue;
    format::ThreadEnd end = *thread.end;
    end.thread = places_.threads.back();
    end.end_ns = At(end.end_ns);
    writer_.EndThread(end);
  }
  for (const Task& task : profile.tasks) {
    format::TaskInfo info = task.info;
    Move(info.process, places_.processes);
    Move(info.coroutine, places_.codes);
    Move(info.name.text, places_.strings);
    info.start_ns = At(info.start_ns);
    const format::TaskId id = writer_.AddTask(info);
    places_.tasks.push_back(id);
    if (task.origin != format::kEmptyStack)
      writer_.AddTaskOrigin({id, places_.stacks[task.origin.value]});
    if (!task.end) continue;
    format::TaskEnd end = *task.end;
    end.task = id;
    Move(end.name.text, places_.strings);
    end.end_ns = At(end.end_ns);
    writer_.EndTask(end);
  }
}

void CaptureMerger::AddMeasurements(const Profile& profile) {
  const SampleColumns& samples = profile.samples;
  for (size_t i = 0; i < samples.size(); ++i) {
    format::Sample sample{.time_ns = At(samples.time_ns[i]),
                          .thread = places_.threads[samples.thread[i].value],
                          .stack = places_.stacks[samples.stack[i].value],
                          .activity = samples.activity[i],
                          .weight_ns = samples.weight_ns[i],
                          .count = samples.count[i]};
    if (samples.task[i]) sample.task = places_.tasks[(*samples.task[i]).value];
    writer_.AddSample(sample);
    end_ns_ = std::max(end_ns_, sample.time_ns);
  }
  for (format::GilWait wait : profile.gil_waits) {
    Move(wait.waiter, places_.threads);
    if (wait.holder) Move(*wait.holder, places_.threads);
    writer_.AddGilWait(wait);
  }
  for (format::RegionInfo region : profile.regions) {
    Move(region.thread, places_.threads);
    Move(region.name, places_.strings);
    region.begin_ns = At(region.begin_ns);
    writer_.AddRegion(region);
  }
  for (format::Await await : profile.awaits) {
    Move(await.task, places_.tasks);
    Move(await.stack, places_.stacks);
    await.time_ns = At(await.time_ns);
    writer_.AddAwait(await);
  }
  for (format::LoopBlock block : profile.loop_blocks) {
    Move(block.thread, places_.threads);
    Move(block.stack, places_.stacks);
    block.begin_ns = At(block.begin_ns);
    writer_.AddLoopBlock(block);
  }
}

void CaptureMerger::AddMemory(const Profile& profile) {
  for (format::MemoryChange change : profile.memory_changes) {
    Move(change.thread, places_.threads);
    Move(change.stack, places_.stacks);
    change.time_ns = At(change.time_ns);
    end_ns_ = std::max(end_ns_, change.time_ns);
    writer_.AddMemoryChange(change);
  }
  const auto moved = [this](auto live) {
    Move(live.process, places_.processes);
    live.time_ns = At(live.time_ns);
    for (format::LiveMemory& part : live.parts) {
      Move(part.thread, places_.threads);
      Move(part.stack, places_.stacks);
      Move(part.type, places_.strings);
    }
    return live;
  };
  for (const format::MemoryPeak& peak : profile.memory_peaks) writer_.AddMemoryPeak(moved(peak));
  for (const format::MemorySurvivors& left : profile.memory_survivors)
    writer_.AddMemorySurvivors(moved(left));
  for (format::MemoryLevel level : profile.memory_levels) {
    Move(level.process, places_.processes);
    level.time_ns = At(level.time_ns);
    writer_.AddMemoryLevel(level);
  }
}

void CaptureMerger::AddAmounts(const Profile& profile) {
  std::map<metric::Metric, format::MetricId> ids;
  for (const metric::Info& info : profile.metrics.declared()) {
    const auto [it, fresh] = metrics_.try_emplace(std::string(info.name));
    if (fresh)
      it->second = writer_.AddMetric({.name = writer_.Intern(info.name),
                                      .unit = writer_.Intern(metric::UnitName(info)),
                                      .title = writer_.Intern(info.title)});
    ids[info.metric] = it->second;
  }
  for (const Amount& amount : profile.amounts) {
    format::MetricAmount moved{.metric = ids.at(amount.metric),
                               .thread = places_.threads[amount.thread.value],
                               .stack = places_.stacks[amount.stack.value],
                               .value = amount.value,
                               .count = amount.count};
    if (amount.time_ns) moved.time_ns = At(*amount.time_ns);
    writer_.AddMetricAmount(moved);
  }
}

void CaptureMerger::AddCounters(const Profile& profile) {
  const auto add = [this](format::ProcessId process, const metric::CounterKey& key,
                          uint64_t value) {
    writer_.AddCounter({process, key.kind, metric::StoredName(key), value});
  };
  for (const Counter& counter : profile.counters) {
    // It is about a recording that goes on, and this one does not.
    if (counter.Is(metric::Counter::kSnapshotAt)) continue;
    format::ProcessId process = counter.process;
    Move(process, places_.processes);
    add(process, counter.key, counter.value);
  }
  if (places_.processes.empty()) return;
  const LoadReport& load = profile.load;
  const std::pair<metric::Counter, uint64_t> losses[] = {
      {metric::Counter::kMergedBytesLost, load.bytes_lost},
      {metric::Counter::kMergedRecordsInvalid, load.records_invalid},
      {metric::Counter::kMergedInterrupted, load.orderly_end ? 0 : 1}};
  for (const auto& [counter, value] : losses)
    if (value != 0) add(places_.processes.front(), metric::KeyOf(counter), value);
}

}  // namespace pyrometer::profile
