// SPDX-License-Identifier: Apache-2.0
// Reads another process's Python state from outside and prints it as JSON, for
// test_find.py, test_walk.py and test_types.py; or checks dumped line tables, for
// test_line_tables.py.
//
//   walk_probe find      < request   one JSON object, see Find
//   walk_probe walk      < request   one JSON object, see Walk
//   walk_probe types     < request   one JSON object, see Types
//   walk_probe positions < dump      JSON lines, see CheckPositions
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cpython/block_type.h"
#include "cpython/code_object.h"
#include "cpython/coroutine.h"
#include "cpython/find_interpreter.h"
#include "cpython/frame_walk.h"
#include "cpython/gil.h"
#include "cpython/layout.h"
#include "cpython/line_table.h"
#include "cpython/opcodes.h"
#include "cpython/text.h"
#include "cpython/threads.h"
#include "os/process_symbols.h"
#include "os/remote_memory.h"
#include "transport/ring.h"

namespace {

using nlohmann::json;
using pyrometer::os::RemoteMemory;
namespace cpython = pyrometer::cpython;
namespace transport = pyrometer::transport;

// The Python state of one process as the walk sees it.
class Target {
 public:
  Target(pid_t pid, cpython::Layout layout, uint64_t runtime)
      : memory_(pid), layout_(layout), runtime_(runtime) {}

  json Threads(size_t room) const {
    std::vector<cpython::PythonThread> threads(4096);
    size_t count = 0;
    json list = json::array();
    if (!ReadThreads(layout_, memory_, runtime_, threads, &count)) return list;
    for (size_t i = 0; i < count; ++i) list.push_back(Thread(threads[i], room));
    return list;
  }

 private:
  json Thread(const cpython::PythonThread& thread, size_t room) const {
    std::vector<cpython::PythonFrame> frames(room);
    const auto result = WalkFrames(layout_, memory_, thread.tstate, 0, std::span(frames));
    json stack = json::array();
    for (uint32_t i = 0; i < result.count; ++i) stack.push_back(Frame(frames[i]));
    const size_t root = RootCoroutine(
        layout_, memory_, std::span<const cpython::PythonFrame>(frames.data(), result.count));
    cpython::AddressRange gil;
    const bool has_gil = ReadGilRange(layout_, memory_, runtime_, thread.tstate, &gil);
    const uint64_t holder = ReadGilHolder(layout_, memory_, runtime_, thread.tstate);
    return {{"pthread", thread.pthread},
            {"native_tid", thread.native_tid},
            {"outcome", static_cast<int>(result.outcome)},
            {"omitted", result.omitted},
            {"coroutine", root < result.count ? frames[root].generator : 0},
            {"gil", has_gil ? json{gil.begin, gil.end} : json()},
            {"holds_gil", holder == thread.tstate},
            {"frames", stack}};
  }

  json Frame(const cpython::PythonFrame& frame) const {
    cpython::CodeHead head;
    if (!ReadCodeHead(layout_, memory_, frame.code, &head)) return nullptr;
    const auto position = PositionAt(LineTableFor(layout_), Bytes(head.line_table), head.first_line,
                                     frame.instruction);
    const bool before = frame.instruction == cpython::kBeforeFirstInstruction;
    return {{"name", Text(head.qualname)},
            {"filename", Text(head.filename)},
            {"lasti", before ? -1 : static_cast<int64_t>(frame.instruction)},
            {"position", {position.line, position.end_line, position.column, position.end_column}},
            {"call", IsCallOpcode(layout_, frame.opcode)},
            {"opcode", frame.opcode},
            {"entry", frame.entry},
            {"anchor", frame.anchor},
            {"code", frame.code}};
  }

  std::string Text(uint64_t unicode) const {
    cpython::TextView view;
    if (!ReadText(layout_, memory_, unicode, &view)) return "?";
    std::vector<uint8_t> raw(size_t{view.length} * view.kind);
    if (!memory_.Read(view.data, raw.data(), raw.size())) return "?";
    return cpython::ToUtf8(raw, view.kind);
  }

  std::vector<uint8_t> Bytes(uint64_t object) const {
    cpython::BytesView view;
    if (!ReadBytes(layout_, memory_, object, &view)) return {};
    std::vector<uint8_t> bytes(view.size);
    if (!memory_.Read(view.data, bytes.data(), bytes.size())) return {};
    return bytes;
  }

  RemoteMemory memory_;
  cpython::Layout layout_;
  uint64_t runtime_;
};

std::optional<cpython::Layout> LayoutOf(const RemoteMemory& memory, uint32_t version,
                                        uint64_t runtime) {
  cpython::Layout layout;
  if (LayoutFromDebugOffsets(memory, runtime, version, &layout)) return layout;
  const cpython::Layout* found = cpython::FindLayout(version);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

// What the agent has told the collector of its interpreter, in the ring at `path`.
json AgreesWithAgent(const std::string& path, const cpython::InterpreterFacts& facts) {
  transport::RingHeader header;
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return nullptr;
  return header.magic == transport::kRingMagic && header.runtime == facts.runtime &&
         std::memcmp(&header.layout, &facts.layout, sizeof facts.layout) == 0;
}

// {"pid", "ring": path or ""}. The interpreter of the process, found from outside by its symbols,
// and whether the agent in that process has found the same one; null where there is no ring.
int Find() {
  const json request = json::parse(std::cin);
  const auto pid = request.at("pid").get<pid_t>();
  const RemoteMemory memory(pid);
  const pyrometer::os::ProcessSymbols symbols(pid, memory);
  const auto facts = cpython::FindInterpreter(symbols, memory, [&] {
    const auto variables = symbols.VariablesBeside("Py_GetVersion");
    return cpython::FindVersionText(memory, variables.begin, variables.end);
  });
  const cpython::Layout& layout = facts.layout;
  std::cout << json{{"runtime", facts.runtime},
                    {"version", facts.version_hex},
                    {"supported", facts.supported},
                    {"eval_bytes", facts.eval_end - facts.eval_begin},
                    {"types",
                     {{"code", layout.type_code},
                      {"generator", layout.type_generator},
                      {"coroutine", layout.type_coroutine},
                      {"async_generator", layout.type_async_generator}}},
                    {"agrees", AgreesWithAgent(request.at("ring"), facts)}};
  return 0;
}

// {"pid", "version", "runtime", "room", "types": {code, generator, ...}}
int Walk() {
  const json request = json::parse(std::cin);
  const auto pid = request.at("pid").get<pid_t>();
  const auto runtime = request.at("runtime").get<uint64_t>();
  auto layout = LayoutOf(RemoteMemory(pid), request.at("version").get<uint32_t>(), runtime);
  if (!layout) {
    fmt::print(stderr, "walk_probe: no layout for this interpreter\n");
    return 1;
  }
  const json& types = request.at("types");
  layout->type_code = types.at("code");
  layout->type_generator = types.at("generator");
  layout->type_coroutine = types.at("coroutine");
  layout->type_async_generator = types.at("async_generator");
  std::cout << json{{"free_threaded", layout->free_threaded},
                    {"threads", Target(pid, *layout, runtime).Threads(request.at("room"))}};
  return 0;
}

// {"pid", "version", "runtime", "blocks": [[address, bytes, ...], ...]}. Prints the types' names.
int Types() {
  const json request = json::parse(std::cin);
  const RemoteMemory memory(request.at("pid").get<pid_t>());
  const auto layout = LayoutOf(memory, request.at("version"), request.at("runtime"));
  const cpython::ObjectLayout* objects =
      layout ? cpython::FindObjectLayout(layout->minor, layout->free_threaded) : nullptr;
  if (objects == nullptr) {
    fmt::print(stderr, "walk_probe: no layout for this interpreter\n");
    return 1;
  }
  json names = json::array();
  for (const json& block : request.at("blocks")) {
    char room[256];
    const uint64_t type = TypeOfBlock(*layout, *objects, memory, block[0], block[1]);
    names.push_back(type == 0 ? "" : std::string(ReadTypeName(*objects, memory, type, room)));
  }
  std::cout << names;
  return 0;
}

std::vector<uint8_t> FromHex(const std::string& text) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

// Each line: {"name", "minor", "first_line", "table": hex, "expected": [[offset, line, end_line,
// column, end_column], ...]}, null for none; a row of two has only a line. Prints the mismatches.
int CheckPositions() {
  size_t checked = 0;
  size_t wrong = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const json code = json::parse(line);
    cpython::Layout layout;
    layout.minor = code.at("minor");
    const std::vector<uint8_t> table = FromHex(code.at("table"));
    for (const json& row : code.at("expected")) {
      const auto got = PositionAt(LineTableFor(layout), table, code.at("first_line"), row[0]);
      const int values[] = {got.line, got.end_line, got.column, got.end_column};
      bool same = true;
      for (size_t i = 1; i < row.size(); ++i) {
        const int none = i <= 2 ? 0 : -1;
        same &= values[i - 1] == (row[i].is_null() ? none : row[i].get<int>());
      }
      ++checked;
      if (!same && ++wrong <= 20) {
        fmt::print("{} {}: got {} {} {} {}\n", code.at("name").get<std::string>(), row.dump(),
                   got.line, got.end_line, got.column, got.end_column);
      }
    }
  }
  fmt::print("checked {} wrong {}\n", checked, wrong);
  return checked == 0 || wrong != 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc == 2 ? argv[1] : "";
  if (verb == "find") return Find();
  if (verb == "walk") return Walk();
  if (verb == "types") return Types();
  if (verb == "positions") return CheckPositions();
  fmt::print(stderr, "usage: walk_probe find|walk|types|positions\n");
  return 2;
}
