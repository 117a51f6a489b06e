// SPDX-License-Identifier: Apache-2.0
#include "analyze/testing/profile_builder.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace pyrometer::analyze::testing {
namespace {

using namespace pyrometer::format;  // NOLINT(google-build-using-namespace)

uint64_t Ns(double seconds) { return static_cast<uint64_t>(std::llround(seconds * 1e9)); }

uint32_t Number(std::string_view text) {
  uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Cuts `text` at the first `separator`; the second part is empty without one.
std::pair<std::string_view, std::string_view> Cut(std::string_view text,
                                                  std::string_view separator) {
  const size_t at = text.find(separator);
  if (at == text.npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + separator.size())};
}

template <class Map, class Key, class Table, class Value>
uint32_t Intern(Map& map, const Key& key, Table& table, Value value) {
  const auto [it, fresh] = map.try_emplace(key, static_cast<uint32_t>(table.size()));
  if (fresh) table.push_back(std::move(value));
  return it->second;
}

}  // namespace

ProfileBuilder::ProfileBuilder() {
  Text("");
  profile_.stacks.push_back({});
  profile_.run.pyrometer_version = "0.1.0";
  profile_.run.command = {"python", "app.py"};
  profile_.run.working_directory = "/home/user/project";
  profile_.load.orderly_end = true;
  Process(100, 0, 10);
}

ProfileBuilder& ProfileBuilder::Process(uint64_t pid, double start_s, double end_s) {
  const ProcessId id(static_cast<uint32_t>(profile_.processes.size()));
  profile::Process process;
  process.info.pid = pid;
  process.info.parent_pid = id.value == 0 ? 1 : profile_.processes[0].info.pid;
  process.info.start_ns = Ns(start_s);
  process.info.argv = profile_.run.command;
  process.info.interpreter = "CPython 3.12.1";
  process.info.clock = "cpu-timer";
  process.info.sample_period_ns = 10'000'000;
  process.end = ProcessEnd{.process = id, .end_ns = Ns(end_s), .exit_code = 0};
  profile_.processes.push_back(process);
  return Thread(pid, "MainThread");
}

ProfileBuilder& ProfileBuilder::Thread(uint64_t tid, std::string name) {
  profile::Thread thread;
  thread.info.process = ProcessId(static_cast<uint32_t>(profile_.processes.size() - 1));
  thread.info.tid = tid;
  thread.info.start_ns = profile_.processes.back().info.start_ns;
  thread.info.name = std::move(name);
  profile_.threads.push_back(std::move(thread));
  return *this;
}

ProfileBuilder& ProfileBuilder::Elapsed(double seconds) {
  profile::Process& process = profile_.processes.back();
  process.end->end_ns = process.info.start_ns + Ns(seconds);
  return *this;
}

ProfileBuilder& ProfileBuilder::Add(std::string_view stack, Activity activity, double seconds,
                                    uint32_t count) {
  const uint64_t weight = Ns(seconds);
  now_ns_ += weight;
  profile::SampleColumns& samples = profile_.samples;
  samples.stack.push_back(Stack(stack));
  samples.time_ns.push_back(now_ns_);
  samples.thread.push_back(ThreadId(static_cast<uint32_t>(profile_.threads.size() - 1)));
  samples.activity.push_back(activity);
  samples.weight_ns.push_back(weight);
  samples.count.push_back(count);
  samples.task.push_back(CurrentTask());
  return *this;
}

ProfileBuilder& ProfileBuilder::Task(std::string_view coroutine, std::string_view name) {
  const ProcessId process(static_cast<uint32_t>(profile_.processes.size() - 1));
  const format::FrameId frame = Frame(coroutine);
  profile_.tasks.push_back(
      {{process, profile_.frames[frame.value].code, now_ns_, {Text(name), 0}}, {}, {}});
  return *this;
}

ProfileBuilder& ProfileBuilder::MadeBy(std::string_view stack) {
  profile_.tasks.back().origin = Stack(stack);
  return *this;
}

ProfileBuilder& ProfileBuilder::Await(std::string_view stack, format::AwaitState state,
                                      double seconds, uint32_t count) {
  profile_.awaits.push_back({*CurrentTask(), Stack(stack), state, now_ns_, Ns(seconds), count});
  return *this;
}

ProfileBuilder& ProfileBuilder::Held(std::string_view stack, double begin, double seconds) {
  const ThreadId thread(static_cast<uint32_t>(profile_.threads.size() - 1));
  profile_.loop_blocks.push_back({thread, Stack(stack), Ns(begin), Ns(seconds), 1});
  return *this;
}

ProfileBuilder& ProfileBuilder::Memory(std::string_view stack, MemoryKind kind, double end_s,
                                       MemoryAmount allocated, MemoryAmount freed,
                                       uint64_t high_bytes) {
  profile_.memory_changes.push_back(
      {Ns(end_s), CurrentThread(), Stack(stack), kind, allocated, freed, high_bytes});
  return *this;
}

ProfileBuilder& ProfileBuilder::Peak(double at_s, std::string_view stack, MemoryKind kind,
                                     MemoryAmount amount) {
  std::vector<MemoryPeak>& peaks = profile_.memory_peaks;
  if (peaks.empty() || peaks.back().process != CurrentProcess())
    peaks.push_back({CurrentProcess(), 0, {}});
  peaks.back().time_ns = Ns(at_s);
  peaks.back().parts.push_back({CurrentThread(), Stack(stack), kind, kEmptyString, amount});
  return *this;
}

ProfileBuilder& ProfileBuilder::Survivor(double at_s, std::string_view stack, MemoryKind kind,
                                         std::string_view type, MemoryAmount amount) {
  std::vector<MemorySurvivors>& survivors = profile_.memory_survivors;
  if (survivors.empty() || survivors.back().process != CurrentProcess())
    survivors.push_back({CurrentProcess(), 0, {}});
  survivors.back().time_ns = Ns(at_s);
  survivors.back().parts.push_back({CurrentThread(), Stack(stack), kind, Text(type), amount});
  return *this;
}

ProfileBuilder& ProfileBuilder::Level(double at_s, MemoryLevel level) {
  level.process = CurrentProcess();
  level.time_ns = Ns(at_s);
  profile_.memory_levels.push_back(level);
  return *this;
}

ThreadId ProfileBuilder::CurrentThread() const {
  return ThreadId(static_cast<uint32_t>(profile_.threads.size() - 1));
}

ProcessId ProfileBuilder::CurrentProcess() const {
  return ProcessId(static_cast<uint32_t>(profile_.processes.size() - 1));
}

std::optional<format::TaskId> ProfileBuilder::CurrentTask() const {
  if (profile_.tasks.empty()) return std::nullopt;
  return format::TaskId(static_cast<uint32_t>(profile_.tasks.size() - 1));
}

ProfileBuilder& ProfileBuilder::Source(std::string_view path, std::string text) {
  profile_.sources.push_back({Text(path), std::move(text)});
  return *this;
}

ProfileBuilder& ProfileBuilder::Counter(CounterKind kind, std::string name, uint64_t value) {
  const ProcessId process(static_cast<uint32_t>(profile_.processes.size() - 1));
  profile_.counters.push_back({process, metric::ReadCounterName(kind, name), value});
  return *this;
}

ProfileBuilder& ProfileBuilder::Mark(std::string_view function, bool inner) {
  for (uint32_t i = 0; i < profile_.codes.size(); ++i)
    if (profile_.Text(profile_.codes[i].qualname) == function)
      profile_.profiled_functions.push_back({CodeId(i), inner});
  return *this;
}

StringId ProfileBuilder::Text(std::string_view text) {
  const std::string key(text);
  return StringId(Intern(strings_, key, profile_.strings, key));
}

StackId ProfileBuilder::Stack(std::string_view text) {
  StackId parent = kEmptyStack;
  while (!text.empty()) {
    const auto [first, rest] = Cut(text, " > ");
    const FrameId frame = Frame(first);
    const std::tuple key(parent.value, frame.value);
    parent = StackId(Intern(stacks_, key, profile_.stacks, StackInfo{parent, frame}));
    text = rest;
  }
  return parent;
}

FrameId ProfileBuilder::Frame(std::string_view text) {
  if (const auto it = frames_.find(text); it != frames_.end()) return FrameId(it->second);
  FrameInfo info;
  std::vector<SymbolLine> symbols;
  if (text.ends_with(']')) {
    const auto [names, module] = Cut(text.substr(0, text.size() - 1), " [");
    info.kind = FrameKind::kNative;
    info.module = ModuleId(Intern(modules_, std::string(module), profile_.modules,
                                  ModuleInfo{Text(module), "build-id"}));
    info.address = 0x1000 + 16 * profile_.frames.size();
    const auto [outer, inlined] = Cut(names, "/");
    if (!inlined.empty()) symbols.push_back({Text(inlined), kEmptyString, 0});
    if (outer != "?") symbols.push_back({Text(outer), kEmptyString, 0});
  } else if (text.starts_with('<') && text.ends_with('>')) {
    info.kind = FrameKind::kSpecial;
    info.name = Text(text);
  } else {
    info = PythonFrame(text);
  }
  const FrameId id(Intern(frames_, std::string(text), profile_.frames, info));
  if (!symbols.empty()) profile_.symbols.push_back({id, std::move(symbols)});
  return id;
}

FrameInfo ProfileBuilder::PythonFrame(std::string_view text) {
  auto [path, call] = Cut(text, "|");
  if (call.empty()) std::tie(path, call) = std::pair(std::string_view("app.py"), text);
  const size_t colon = call.rfind(':');
  const auto [function, first] = Cut(call.substr(0, colon), "@");
  const StringId file = Text(path), name = Text(function);
  FrameInfo info;
  info.line = Number(call.substr(colon + 1));
  info.code = CodeId(Intern(codes_, std::tuple(file.value, name.value), profile_.codes,
                            CodeInfo{file, name, first.empty() ? 1 : Number(first)}));
  return info;
}

}  // namespace pyrometer::analyze::testing
