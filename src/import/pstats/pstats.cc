// SPDX-License-Identifier: Apache-2.0
#include "import/pstats/pstats.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "import/core/call_chains.h"
#include "import/pstats/marshal.h"

namespace pyrometer::import_ {
namespace {

using Value = Marshal::Value;
using Kind = Marshal::Kind;

constexpr std::string_view kNoFile = "~";  // as of built-in functions
constexpr std::string_view kSampled = "__sampled__";

// What stands in the dict: (file, line, name): (primitive calls, calls, self, total, callers);
// callers are a dict of the same keys with (calls, primitive calls, self, total), or calls.
class Pstats {
 public:
  Pstats(const Marshal& file, size_t bytes, ProfileMaker& maker)
      : file_(file), pairs_left_(bytes), maker_(maker), chains_(maker) {}

  base::Status Read() {
    const Value& all = file_.root();
    if (all.kind != Kind::kDict) return base::Error{"it is no table of functions"};
    for (size_t i = 0; i + 1 < file_.SizeOf(all); i += 2) {
      const Value& key = file_.Item(all, i);
      if (IsSampledMark(key)) sampled_ = true;
    }
    for (size_t i = 0; i + 1 < file_.SizeOf(all) && !maker_.full(); i += 2)
      if (!IsSampledMark(file_.Item(all, i)) &&
          !ReadFunction(file_.Item(all, i), file_.Item(all, i + 1)))
        maker_.AddLoss("functions that make no sense");
    if (too_many_pairs_) return base::Error{"it has more callers than it has bytes"};
    FindOnlyCallers();
    for (uint32_t i = 0; i < functions_.size() && !maker_.full(); ++i) AddTimes(i);
    chains_.Note();
    maker_.AddNote(sampled_ ? "samples are those of the function itself"
                            : "samples are calls; time is what passed, running or waiting");
    return {};
  }

 private:
  struct Caller {
    uint32_t function = 0;
    uint64_t calls = 0;
    std::optional<uint64_t> self_ns{};  // of the function when that one called it
  };
  struct Function {
    format::FrameId frame{};
    bool defined = false;  // else it is known as a caller only
    uint64_t own_calls = 0, calls = 0, self_ns = 0;
    size_t first_caller = 0, callers = 0;
  };

  bool IsSampledMark(const Value& key) const {
    return key.kind == Kind::kTuple && file_.SizeOf(key) == 1 &&
           file_.Item(key, 0).text == kSampled;
  }

  static uint64_t Count(const Value& value) {
    return value.kind == Kind::kInteger && value.integer > 0 ? static_cast<uint64_t>(value.integer)
                                                             : 0;
  }
  // Nothing: no time can be that.
  std::optional<uint64_t> Nanoseconds(const Value& value) {
    double seconds = 0;
    if (value.kind == Kind::kReal)
      seconds = value.real;
    else if (value.kind == Kind::kInteger)
      seconds = static_cast<double>(value.integer);
    else
      return {};
    // Clocks that are set back make cProfile's times negative.
    if (!(seconds >= 0 && seconds < 1e9)) return {};
    return static_cast<uint64_t>(std::llround(seconds * 1e9));
  }

  std::optional<uint32_t> NumberOf(const Value& key) {
    if (key.kind != Kind::kTuple || file_.SizeOf(key) != 3) return {};
    const Value &file = file_.Item(key, 0), &line = file_.Item(key, 1), &name = file_.Item(key, 2);
    if (file.kind != Kind::kText || line.kind != Kind::kInteger || name.kind != Kind::kText)
      return {};
    const auto [it, fresh] = numbers_.try_emplace({file.text, line.integer, name.text},
                                                  static_cast<uint32_t>(functions_.size()));
    if (fresh) {
      functions_.push_back({.frame = FrameOf(file.text, line.integer, name.text)});
      maker_.Charge(sizeof(Function) + 100);
    }
    return it->second;
  }

  format::FrameId FrameOf(std::string_view file, int64_t line, std::string_view name) {
    const auto number = static_cast<uint32_t>(std::clamp<int64_t>(line, 0, 1 << 30));
    FrameText text{.name = name};
    if (file == kNoFile || file.empty()) {
      text.language = FrameText::Language::kNative;
    } else if (number == 0 && !file.ends_with(".py") && !file.starts_with('<')) {
      text.module = file;  // as pyrometer writes native functions
      text.language = FrameText::Language::kNative;
    } else {
      text.file = file;
      text.language = FrameText::Language::kPython;
      (sampled_ ? text.line : text.first_line) = number;
    }
    return maker_.Frame(text);
  }

  bool ReadFunction(const Value& key, const Value& value) {
    if (value.kind != Kind::kTuple || file_.SizeOf(value) != 5) return false;
    const auto self_ns = Nanoseconds(file_.Item(value, 2));
    const Value& callers = file_.Item(value, 4);
    if (!self_ns || callers.kind != Kind::kDict) return false;
    const auto number = NumberOf(key);
    if (!number || functions_[*number].defined) return false;
    Function read = functions_[*number];
    read.defined = true;
    read.own_calls = Count(file_.Item(value, 0));
    read.calls = Count(file_.Item(value, 1));
    read.self_ns = *self_ns;
    read.first_caller = callers_.size();
    for (size_t i = 0; i + 1 < file_.SizeOf(callers); i += 2)
      if (!ReadCaller(file_.Item(callers, i), file_.Item(callers, i + 1)))
        maker_.AddLoss("callers that make no sense");
    read.callers = callers_.size() - read.first_caller;
    functions_[*number] = read;
    return true;
  }

  bool ReadCaller(const Value& key, const Value& value) {
    // One dict may be referred to many times.
    too_many_pairs_ |= pairs_left_ == 0;
    if (too_many_pairs_ || maker_.full()) return true;
    --pairs_left_;
    const auto number = NumberOf(key);
    if (!number) return false;
    Caller caller{.function = *number};
    if (value.kind == Kind::kTuple && file_.SizeOf(value) == 4) {
      caller.calls = Count(file_.Item(value, 0));
      caller.self_ns = Nanoseconds(file_.Item(value, 2));
      if (!caller.self_ns) return false;
    } else if (value.kind == Kind::kInteger) {
      caller.calls = Count(value);
    } else {
      return false;
    }
    callers_.push_back(caller);
    maker_.Charge(sizeof(Caller));
    return true;
  }

  std::span<const Caller> CallersOf(const Function& function) const {
    return std::span(callers_).subspan(function.first_caller, function.callers);
  }

  void FindOnlyCallers() {
    for (uint32_t i = 0; i < functions_.size(); ++i) {
      const Caller* only = nullptr;
      size_t others = 0;
      uint64_t calls = 0;
      for (const Caller& caller : CallersOf(functions_[i])) {
        calls += caller.calls;
        if (caller.function == i) continue;
        only = &caller;
        ++others;
      }
      // Calls that nobody made came from outside of what was profiled.
      if (others == 1 && calls >= functions_[i].calls)
        chains_.SetOnlyCaller(i, only->function, functions_[only->function].frame);
    }
  }

  void AddTimes(uint32_t number) {
    const Function& function = functions_[number];
    if (!function.defined) return;
    uint64_t left_ns = function.self_ns,
             left_calls = sampled_ ? function.own_calls : function.calls;
    for (const Caller& caller : CallersOf(function)) {
      if (!caller.self_ns) continue;
      left_calls -= std::min(left_calls, caller.calls);
      // Parts are rounded: the last one has what the others leave of the whole.
      const bool last = left_calls == 0 && &caller == &CallersOf(function).back();
      const uint64_t ns = last ? left_ns : std::min(*caller.self_ns, left_ns);
      left_ns -= ns;
      const format::StackId stack =
          maker_.Stack(chains_.CallersOf(caller.function), functions_[caller.function].frame);
      Add(maker_.Stack(stack, function.frame), ns, caller.calls);
    }
    if (left_ns == 0 && left_calls == 0) return;
    Add(maker_.Stack(chains_.CallersOf(number), function.frame), left_ns, left_calls);
  }
  void Add(format::StackId stack, uint64_t ns, uint64_t calls) {
    maker_.AddTime(maker_.OnlyThread(), stack,
                   {.weight_ns = ns, .count = std::max<uint64_t>(calls, ns != 0 ? 1 : 0)});
  }

  const Marshal& file_;
  size_t pairs_left_;
  ProfileMaker& maker_;
  CallChains chains_;
  bool sampled_ = false;
  bool too_many_pairs_ = false;
  std::map<std::tuple<std::string_view, int64_t, std::string_view>, uint32_t> numbers_;
  std::vector<Function> functions_;
  std::vector<Caller> callers_;
};

}  // namespace

bool RecognisesPstats(std::string_view head, bool /*whole*/) {
  // A dict whose first key is a tuple, of three values or (the mark of samples) of one, that
  // begins with text. Any code may have the flag of values that are referred to.
  const auto code = [&](size_t i) {
    return i < head.size() ? static_cast<char>(head[i] & 0x7f) : '\0';
  };
  if (code(0) != '{' || (code(1) != '(' && code(1) != ')')) return false;
  if (code(2) != 3 && code(2) != 1) return false;
  const size_t first = code(1) == '(' ? 6 : 3;
  return std::string_view("uaAzZtsr").find(code(first)) != std::string_view::npos;
}

base::Status ReadPstats(ByteInput& input, const ReadOptions& /*options*/, ProfileMaker& maker) {
  const base::Result<std::string> bytes = input.ReadAll();
  if (!bytes.ok()) return bytes.error();
  const base::Result<Marshal> file = Marshal::Read(bytes.value(), maker);
  if (!file.ok()) return file.error();
  return Pstats(file.value(), bytes.value().size(), maker).Read();
}

}  // namespace pyrometer::import_
