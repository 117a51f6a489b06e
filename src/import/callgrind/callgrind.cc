// SPDX-License-Identifier: Apache-2.0
#include "import/callgrind/callgrind.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/pair_index.h"
#include "import/core/call_chains.h"
#include "import/core/value_types.h"
#include "import/core/whole_number.h"
#include "import/input/line_input.h"

namespace pyrometer::import_ {
namespace {

constexpr std::string_view kUnknown = "???";
constexpr size_t kMaxEvents = 64;

uint64_t Sum(uint64_t a, uint64_t b) {
  return a > std::numeric_limits<uint64_t>::max() - b ? std::numeric_limits<uint64_t>::max()
                                                      : a + b;
}

// Takes the next word off the front of `line`.
std::string_view TakeWord(std::string_view& line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

std::optional<uint64_t> Number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  return WholeNumber<uint64_t>(text, hexadecimal ? 16 : 10);
}

// Names of one kind (objects, files, functions) as numbers. A name has a number of its own
// in the file, too, "(12) name", so that "(12)" stands for it until another one gets it.
class Names {
 public:
  // Number 0 is no name.
  uint32_t Read(std::string_view text, ProfileMaker& maker) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (!text.starts_with('(')) return Intern(text, maker);
    const size_t close = text.find(')');
    const auto id =
        close == std::string_view::npos ? std::nullopt : Number(text.substr(1, close - 1));
    if (!id) return Intern(text, maker);
    std::string_view name = text.substr(close + 1);
    while (name.starts_with(' ')) name.remove_prefix(1);
    if (name.empty()) {
      const auto it = by_id_.find(*id);
      if (it != by_id_.end()) return it->second;
      maker.AddLoss("names that are missing");
      return 0;
    }
    const uint32_t number = Intern(name, maker);
    if (by_id_.insert_or_assign(*id, number).second) maker.Charge(2 * sizeof(uint64_t));
    return number;
  }
  const std::string& Text(uint32_t number) const { return texts_[number]; }

 private:
  uint32_t Intern(std::string_view name, ProfileMaker& maker) {
    if (name == kUnknown) name = {};
    const auto [it, fresh] =
        numbers_.try_emplace(std::string(name), static_cast<uint32_t>(texts_.size()));
    if (fresh) {
      texts_.emplace_back(name);
      maker.Charge(2 * name.size() + 128);
    }
    return it->second;
  }

  std::unordered_map<uint64_t, uint32_t> by_id_;
  std::unordered_map<std::string, uint32_t> numbers_{{"", 0}};
  std::vector<std::string> texts_{""};
};

class Callgrind {
 public:
  Callgrind(ByteInput& input, const ReadOptions& options, ProfileMaker& maker)
      : lines_(input), options_(options), maker_(maker), chains_(maker) {}

  base::Status Read() {
    while (const auto line = lines_.Next()) {
      if (line->empty() || line->starts_with('#')) continue;
      if (!ReadLine(*line)) maker_.AddLoss("lines that make no sense");
      if (maker_.full()) return {};
    }
    if (!types_) return base::Error{"it has no line that names its events"};
    if (!lines_.status().ok()) maker_.AddLoss(lines_.status().error().message);
    FindOnlyCallers();
    for (const Row& row : rows_) {
      types_->Add(maker_, row.thread, maker_.Stack(chains_.CallersOf(row.function), row.frame),
                  std::span(costs_).subspan(row.first_cost, types_->size()));
      if (maker_.full()) return {};
    }
    types_->Note(maker_);
    chains_.Note();
    return {};
  }

 private:
  // A function is known by its name, its file and its object.
  struct Place {
    uint32_t object = 0, file = 0, name = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Function {
    Place place{};
    uint64_t self = 0, called = 0;  // all events of its own, and of what it calls
  };
  struct Row {
    uint32_t function = 0;
    format::FrameId frame{};
    format::ThreadId thread{};
    size_t first_cost = 0;
  };
  struct Edge {
    uint32_t caller = 0, callee = 0;
    uint32_t line = 0;  // 0: not known, or several
    uint64_t cost = 0;
  };
  enum class Expects : uint8_t { kCosts, kCostsOfCall, kPositionOfJump };

  bool ReadLine(std::string_view line) {
    const char first = line.front();
    if ((first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*')
      return ReadCosts(line);
    const size_t end = line.find_first_of("=: ");
    if (end == std::string_view::npos) return false;
    const std::string_view key = line.substr(0, end), value = line.substr(end + 1);
    return line[end] == '=' ? ReadName(key, value) : line[end] == ':' && ReadHeader(key, value);
  }

  bool ReadHeader(std::string_view key, std::string_view value) {
    while (value.starts_with(' ')) value.remove_prefix(1);
    if (key == "events") return ReadEvents(value);
    if (key == "positions") return ReadPositions(value);
    if (key == "creator") {
      maker_.SetTool(value.substr(0, 100));
    } else if (key == "cmd") {
      maker_.SetCommand({std::string(value.substr(0, 1000))});
    } else if (key == "pid") {
      pid_ = Number(value).value_or(0);
    } else if (key == "thread") {
      tid_ = Number(value).value_or(0);
    }
    return true;
  }

  bool ReadEvents(std::string_view value) {
    std::vector<ValueType> types;
    for (std::string_view word = TakeWord(value); !word.empty(); word = TakeWord(value))
      types.push_back({word, {}});
    if (types.empty() || types.size() > kMaxEvents) return false;
    std::string names;
    for (const ValueType& type : types) names += std::string(type.name) + ' ';
    if (types_) return names == events_;  // one set of events for all parts
    events_ = names;
    types_.emplace(types, options_.count);
    return true;
  }

  bool ReadPositions(std::string_view value) {
    size_t count = 0;
    line_position_ = kNoLine;
    for (std::string_view word = TakeWord(value); !word.empty(); word = TakeWord(value)) {
      if (word == "line") line_position_ = count;
      if (++count > positions_.size()) return false;
    }
    position_count_ = std::max<size_t>(count, 1);
    return true;
  }

  bool ReadName(std::string_view key, std::string_view value) {
    if (key == "ob") {
      object_ = objects_.Read(value, maker_);
    } else if (key == "fl") {
      file_ = row_file_ = files_.Read(value, maker_);
    } else if (key == "fi" || key == "fe") {
      row_file_ = files_.Read(value, maker_);
    } else if (key == "fn") {
      row_file_ = file_;
      function_ = FunctionOf({object_, file_, functions_names_.Read(value, maker_)});
      callee_object_.reset();
      callee_file_.reset();
    } else if (key == "cob") {
      callee_object_ = objects_.Read(value, maker_);
    } else if (key == "cfi" || key == "cfl") {
      callee_file_ = files_.Read(value, maker_);
    } else if (key == "cfn") {
      callee_name_ = functions_names_.Read(value, maker_);
    } else if (key == "calls") {
      expects_ = Expects::kCostsOfCall;
    } else if (key == "jump" || key == "jcnd") {
      expects_ = Expects::kPositionOfJump;
    } else {
      return false;
    }
    return true;
  }

  uint32_t FunctionOf(const Place& place) {
    const auto [it, fresh] = numbers_.try_emplace(place, static_cast<uint32_t>(functions_.size()));
    if (fresh) {
      functions_.push_back({.place = place});
      maker_.Charge(sizeof(Function) + 100);
    }
    return it->second;
  }

  // Positions are absolute, or relative to those of the line before.
  bool ReadPositionsOf(std::string_view& line) {
    for (size_t i = 0; i < position_count_; ++i) {
      const std::string_view word = TakeWord(line);
      uint64_t& position = positions_[i];
      if (word == "*") continue;
      const bool forth = word.starts_with('+'), back = word.starts_with('-');
      const auto number = Number(forth || back ? word.substr(1) : word);
      if (!number) return false;
      position = forth ? position + *number : back ? position - *number : *number;
    }
    return true;
  }

  bool ReadCosts(std::string_view line) {
    const Expects what = expects_;
    expects_ = Expects::kCosts;
    if (!types_ || !ReadPositionsOf(line)) return false;
    if (what == Expects::kPositionOfJump) return true;
    const size_t first = costs_.size();
    uint64_t sum = 0;
    for (size_t i = 0; i < types_->size(); ++i) {
      const std::string_view word = TakeWord(line);
      const auto cost = word.empty() ? std::optional<uint64_t>(0) : Number(word);
      if (!cost) {
        costs_.resize(first);
        return false;
      }
      costs_.push_back(
          static_cast<int64_t>(std::min<uint64_t>(*cost, std::numeric_limits<int64_t>::max())));
      sum = Sum(sum, *cost);
    }
    if (what == Expects::kCostsOfCall) {
      costs_.resize(first);
      return AddCall(sum);
    }
    if (!function_) {
      costs_.resize(first);
      return false;
    }
    Function& function = functions_[*function_];
    function.self = Sum(function.self, sum);
    rows_.push_back({*function_, FrameOf(function.place, row_file_, Line()),
                     maker_.Thread(maker_.Process(pid_), tid_), first});
    maker_.Charge(sizeof(Row) + types_->size() * sizeof(int64_t));
    return true;
  }

  bool AddCall(uint64_t cost) {
    const Place callee{callee_object_.value_or(object_), callee_file_.value_or(row_file_),
                       callee_name_};
    callee_object_.reset();
    callee_file_.reset();
    if (!function_) return false;
    const uint32_t to = FunctionOf(callee);
    if (to == *function_) return true;  // within itself
    const uint32_t known = edge_places_.size();
    const uint32_t number = edge_places_.Number(*function_, to);
    if (number == known) {
      edges_.push_back({*function_, to, Line(), 0});
      maker_.Charge(sizeof(Edge) + 4 * sizeof(uint64_t));
    }
    Edge& edge = edges_[number];
    if (edge.line != Line()) edge.line = 0;
    edge.cost = Sum(edge.cost, cost);
    functions_[*function_].called = Sum(functions_[*function_].called, cost);
    return true;
  }

  uint32_t Line() const {
    if (line_position_ == kNoLine) return 0;
    const uint64_t line = positions_[line_position_];
    return line <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(line) : 0;
  }

  format::FrameId FrameOf(const Place& place, uint32_t file, uint32_t line) {
    FrameText text{.name = functions_names_.Text(place.name),
                   .file = files_.Text(file),
                   .line = line,
                   .module = objects_.Text(place.object)};
    // pyrometer names the module of native code as its file.
    if (line == 0 && text.module.empty() && !text.file.ends_with(".py") &&
        !text.file.starts_with('<'))
      std::swap(text.file, text.module);
    return maker_.Frame(text);
  }

  void FindOnlyCallers() {
    std::vector<const Edge*> only(functions_.size());
    std::vector<bool> several(functions_.size());
    for (const Edge& edge : edges_) {
      if (only[edge.callee] != nullptr) several[edge.callee] = true;
      only[edge.callee] = &edge;
    }
    for (uint32_t i = 0; i < functions_.size(); ++i) {
      if (only[i] == nullptr || several[i]) continue;
      // What a function costs beyond what its caller knows of came from elsewhere.
      if (only[i]->cost < Sum(functions_[i].self, functions_[i].called)) continue;
      const Place& caller = functions_[only[i]->caller].place;
      chains_.SetOnlyCaller(i, only[i]->caller, FrameOf(caller, caller.file, only[i]->line));
    }
  }

  LineInput lines_;
  const ReadOptions& options_;
  ProfileMaker& maker_;
  CallChains chains_;

  std::optional<ValueTypes> types_;
  std::string events_;
  static constexpr size_t kNoLine = std::numeric_limits<size_t>::max();
  size_t position_count_ = 1, line_position_ = 0;
  std::array<uint64_t, 4> positions_{};

  Names objects_, files_, functions_names_;
  uint64_t pid_ = 0, tid_ = 0;
  uint32_t object_ = 0, file_ = 0, row_file_ = 0;
  std::optional<uint32_t> function_, callee_object_, callee_file_;
  uint32_t callee_name_ = 0;
  Expects expects_ = Expects::kCosts;

  std::map<Place, uint32_t> numbers_;
  std::vector<Function> functions_;
  std::vector<Row> rows_;
  std::vector<int64_t> costs_;
  base::PairIndex edge_places_;  // caller and callee
  std::vector<Edge> edges_;
};

}  // namespace

bool RecognisesCallgrind(std::string_view head, bool /*whole*/) {
  if (head.starts_with("# callgrind format")) return true;
  // Older files, and those of others, have no such line; all have events before functions.
  const size_t events = head.find("\nevents:");
  const size_t function = head.find("\nfn=");
  return function != std::string_view::npos && (events < function || head.starts_with("events:"));
}

base::Status ReadCallgrind(ByteInput& input, const ReadOptions& options, ProfileMaker& maker) {
  return Callgrind(input, options, maker).Read();
}

}  // namespace pyrometer::import_
