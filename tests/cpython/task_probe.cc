// SPDX-License-Identifier: Apache-2.0
// Reads another process's asyncio tasks and thread names from outside, for
// test_tasks.py. The request is one JSON object on stdin, as for walk_probe.
//
//   task_probe tasks   the tasks with their chains, and the thread names, as JSON
//   task_probe stress  looks until "seconds" are over, prints counts and every
//                      distinct confirmed chain
//   task_probe cost    time of a look, with pages kept for the length of it
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "cpython/asyncio_tasks.h"
#include "cpython/await_walk.h"
#include "cpython/code_object.h"
#include "cpython/layout.h"
#include "cpython/line_table.h"
#include "cpython/task_confirm.h"
#include "cpython/text.h"
#include "cpython/thread_names.h"
#include "os/remote_memory.h"

namespace {

using nlohmann::json;
using pyrometer::os::RemoteMemory;
namespace cpython = pyrometer::cpython;

// Keeps pages until told to forget them, as the collector does.
class Pages {
 public:
  explicit Pages(pid_t pid) : memory_(pid) {}
  void Forget() { pages_.clear(); }
  bool Read(uint64_t address, void* out, size_t size) const {
    auto* to = static_cast<uint8_t*>(out);
    while (size != 0) {
      const uint64_t offset = address % kPage;
      const size_t n = std::min<size_t>(size, kPage - offset);
      const auto [it, fresh] = pages_.try_emplace(address - offset);
      if (fresh) {
        auto page = std::make_unique<uint8_t[]>(kPage);
        if (memory_.Read(address - offset, page.get(), kPage)) it->second = std::move(page);
      }
      if (it->second == nullptr) return false;
      std::memcpy(to, it->second.get() + offset, n);
      to += n;
      address += n;
      size -= n;
    }
    return true;
  }
  size_t count() const { return pages_.size(); }

 private:
  static constexpr uint64_t kPage = 4096;
  RemoteMemory memory_;
  mutable std::unordered_map<uint64_t, std::unique_ptr<uint8_t[]>> pages_;
};

std::optional<cpython::Layout> LayoutOf(const json& request) {
  const RemoteMemory memory(request.at("pid").get<pid_t>());
  const uint32_t version = request.at("version");
  cpython::Layout layout;
  if (!LayoutFromDebugOffsets(memory, request.at("runtime").get<uint64_t>(), version, &layout)) {
    const cpython::Layout* found = cpython::FindLayout(version);
    if (found == nullptr) return std::nullopt;
    layout = *found;
  }
  const json& types = request.at("types");
  layout.type_code = types.at("code");
  layout.type_generator = types.at("generator");
  layout.type_coroutine = types.at("coroutine");
  layout.type_async_generator = types.at("async_generator");
  return layout;
}

// The tasks of one process.
class Target {
 public:
  Target(const json& request, cpython::Layout layout)
      : pages_(request.at("pid").get<pid_t>()),
        layout_(layout),
        runtime_(request.at("runtime")),
        frames_(request.value("room", 1024)),
        tasks_(1 << 17) {}

  bool Find() { return FindAsyncio(layout_, pages_, runtime_, &handles_); }
  void Forget() { pages_.Forget(); }
  size_t pages() const { return pages_.count(); }

  size_t Read() {
    size_t count = 0;
    ReadTasks(layout_, handles_, pages_, {}, tasks_, &count);
    return count;
  }
  const cpython::Task& task(size_t i) const { return tasks_[i]; }
  cpython::AwaitChain Walk(size_t i) {
    return WalkAwaits(layout_, handles_.objects, pages_, tasks_[i].coroutine, std::span(frames_));
  }
  bool Confirm(size_t i, const cpython::AwaitChain& chain) {
    return ConfirmTask(layout_, handles_, pages_, tasks_[i], chain);
  }

  json Describe(size_t i) {
    const cpython::Task& task = tasks_[i];
    const cpython::AwaitChain chain = Walk(i);
    return {{"task", task.address},
            {"coroutine", task.coroutine},
            {"loop", task.loop},
            {"waiter", task.waiter},
            {"name", Name(task)},
            {"state", static_cast<int>(task.state)},
            {"outcome", static_cast<int>(chain.outcome)},
            {"omitted", chain.omitted},
            {"awaited", chain.awaited},
            {"frames", Frames(chain.count)}};
  }

  json Frames(uint32_t count) const {
    json list = json::array();
    for (uint32_t i = 0; i < count; ++i) list.push_back(Frame(frames_[i]));
    return list;
  }

  json ThreadNames() const {
    std::vector<cpython::ThreadName> names(4096);
    size_t count = 0;
    json list = json::object();
    const uint64_t dict = FindThreadDict(layout_, pages_, runtime_);
    if (dict == 0 || !ReadThreadNames(layout_, pages_, dict, names, &count)) return nullptr;
    for (size_t i = 0; i < count; ++i) list[std::to_string(names[i].pthread)] = Text(names[i].name);
    return list;
  }

 private:
  std::string Name(const cpython::Task& task) const {
    cpython::TaskName name;
    if (!ReadTaskName(layout_, handles_, pages_, task, &name)) return "?";
    return name.text.data != 0 ? Text(task.name) : fmt::format("Task-{}", name.number);
  }

  json Frame(const cpython::PythonFrame& frame) const {
    cpython::CodeHead head;
    if (!ReadCodeHead(layout_, pages_, frame.code, &head)) return nullptr;
    const bool before = frame.instruction == cpython::kBeforeFirstInstruction;
    cpython::BytesView view;
    std::vector<uint8_t> table;
    if (ReadBytes(layout_, pages_, head.line_table, &view)) {
      table.resize(view.size);
      if (!pages_.Read(view.data, table.data(), table.size())) return nullptr;
    }
    const auto position =
        PositionAt(LineTableFor(layout_), table, head.first_line, frame.instruction);
    return {{"name", Text(head.qualname)},
            {"lasti", before ? -1 : static_cast<int64_t>(frame.instruction)},
            {"line", position.line},
            {"generator", frame.generator},
            {"code", frame.code}};
  }

  std::string Text(uint64_t unicode) const {
    cpython::TextView view;
    if (!ReadText(layout_, pages_, unicode, &view)) return "?";
    std::vector<uint8_t> raw(size_t{view.length} * view.kind);
    if (!pages_.Read(view.data, raw.data(), raw.size())) return "?";
    return cpython::ToUtf8(raw, view.kind);
  }

  Pages pages_;
  cpython::Layout layout_;
  uint64_t runtime_;
  cpython::AsyncioHandles handles_;
  std::vector<cpython::PythonFrame> frames_;
  std::vector<cpython::Task> tasks_;
};

int Tasks(Target* target) {
  const bool found = target->Find();
  json tasks = json::array();
  const size_t count = found ? target->Read() : 0;
  for (size_t i = 0; i < count; ++i) tasks.push_back(target->Describe(i));
  std::cout << json{{"found", found}, {"tasks", tasks}, {"threads", target->ThreadNames()}};
  return 0;
}

int Stress(Target* target, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  size_t outcomes[5] = {};
  size_t looks = 0;
  size_t seen = 0;
  size_t confirmed = 0;
  std::set<std::string> chains;
  for (bool found = false; Clock::now() < end; ++looks) {
    target->Forget();
    found = found || target->Find();
    const size_t count = found ? target->Read() : 0;
    seen += count;
    for (size_t i = 0; i < count; ++i) {
      const auto chain = target->Walk(i);
      ++outcomes[static_cast<int>(chain.outcome)];
      if (chain.outcome != cpython::AwaitOutcome::kComplete) continue;
      target->Forget();
      if (!target->Confirm(i, chain)) continue;
      ++confirmed;
      std::string text;
      for (const json& frame : target->Frames(chain.count)) {
        text += frame.is_null() ? "?" : frame.at("name").get<std::string>();
        text += fmt::format(":{} ", frame.is_null() ? 0 : frame.at("line").get<int>());
      }
      chains.insert(text);
    }
  }
  std::cout << json{{"looks", looks},
                    {"tasks", seen},
                    {"outcomes", outcomes},
                    {"confirmed", confirmed},
                    {"chains", chains}};
  return 0;
}

int Cost(Target* target, int repeats) {
  using Clock = std::chrono::steady_clock;
  double read_us = 1e18;
  double walk_us = 1e18;
  double confirm_us = 1e18;
  size_t count = 0;
  size_t pages = 0;
  if (!target->Find()) return 1;
  std::vector<cpython::AwaitChain> chains;
  const auto us = [](auto a, auto b) {
    return std::chrono::duration<double, std::micro>(b - a).count();
  };
  for (int i = 0; i < repeats; ++i) {
    target->Forget();
    const auto start = Clock::now();
    count = target->Read();
    const auto listed = Clock::now();
    chains.clear();
    for (size_t t = 0; t < count; ++t) chains.push_back(target->Walk(t));
    const auto walked = Clock::now();
    pages = target->pages();
    target->Forget();
    for (size_t t = 0; t < count; ++t) target->Confirm(t, chains[t]);
    const auto confirmed = Clock::now();
    read_us = std::min(read_us, us(start, listed));
    walk_us = std::min(walk_us, us(listed, walked));
    confirm_us = std::min(confirm_us, us(walked, confirmed));
  }
  std::cout << json{{"tasks", count},
                    {"pages", pages},
                    {"read_us", read_us},
                    {"walk_us", walk_us},
                    {"confirm_us", confirm_us}};
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc == 2 ? argv[1] : "";
  const json request = json::parse(std::cin);
  const auto layout = LayoutOf(request);
  if (!layout) {
    fmt::print(stderr, "task_probe: no layout for this interpreter\n");
    return 1;
  }
  Target target(request, *layout);
  if (verb == "tasks") return Tasks(&target);
  if (verb == "stress") return Stress(&target, request.at("seconds"));
  if (verb == "cost") return Cost(&target, request.at("repeats"));
  fmt::print(stderr, "usage: task_probe tasks|stress|cost\n");
  return 2;
}
