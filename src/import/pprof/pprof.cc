// SPDX-License-Identifier: Apache-2.0
#include "import/pprof/pprof.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exchange/pprof_field.h"
#include "import/core/proto_fields.h"
#include "import/core/value_types.h"
#include "import/pprof/pprof_ids.h"
#include "import/pprof/pprof_labels.h"

namespace pyrometer::import_ {
namespace {

using format::FrameId;
using format::StackId;
using protozero::pbf_reader;
using Wire = protozero::pbf_wire_type;

// Types of values. Nobody has so many.
constexpr size_t kMaxTypes = 100;
// Locations of a sample. Nobody has stacks so deep.
constexpr size_t kMaxPath = size_t{4} << 20;

uint32_t Line(int64_t line) {
  return line > 0 && line <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(line) : 0;
}

bool IsKernel(std::string_view module) {
  return module.starts_with("[kernel") || module.starts_with("[guest.kernel") ||
         module.ends_with("vmlinux") || module.ends_with(".ko");
}

class Pprof {
 public:
  Pprof(const std::string& bytes, const ReadOptions& options, ProfileMaker& maker)
      : bytes_(bytes), options_(options), maker_(maker) {}

  base::Status Read() {
    ForEach([this](pbf_reader& message) { return ReadTable(message); });
    if (types_.empty()) return base::Error{"it has no types of values"};
    if (types_.size() > kMaxTypes) return base::Error{"it has too many types of values"};
    for (const auto& message : mappings_) ReadMapping(message);
    for (const auto& message : functions_) ReadFunction(message);
    for (const auto& message : locations_) ReadLocation(message);
    ReadFacts();
    ReadSamples();
    return {};
  }

 private:
  struct Type {
    uint64_t name = 0, unit = 0;
  };
  struct Function {
    uint64_t name = 0, file = 0;
    uint32_t first_line = 0;
  };
  // Frames of a location, outermost first, in frames_.
  struct Location {
    uint32_t begin = 0, end = 0;
  };

  // Calls `read` for each field until it says false, or the bytes end. What stands behind a
  // cut is lost.
  template <class Read>
  void ForEach(Read read) {
    pbf_reader message(bytes_);
    try {
      while (message.next())
        if (!read(message)) return;
    } catch (const protozero::exception&) {
      cut_ = true;
    }
  }
  // Reads one message; a damaged one counts as a loss.
  template <class Read>
  void Guarded(const char* what, Read read) {
    try {
      read();
    } catch (const protozero::exception&) {
      maker_.AddLoss(std::string(what) + " that are damaged");
    }
  }

  bool ReadTable(pbf_reader& message) {
    const auto keep = [&](std::vector<protozero::data_view>& to) {
      to.push_back(message.get_view());
      maker_.Charge(sizeof(protozero::data_view));
    };
    switch (message.tag_and_type()) {
      case BytesField(pprof_field::kSampleType):
        Guarded("types", [&] { types_.push_back(ReadType(message.get_message())); });
        if (types_.size() > kMaxTypes) return false;
        break;
      case BytesField(pprof_field::kPeriodType):
        Guarded("types", [&] { period_type_ = ReadType(message.get_message()); });
        break;
      case BytesField(pprof_field::kMapping):
        keep(mappings_);
        break;
      case BytesField(pprof_field::kLocation):
        keep(locations_);
        break;
      case BytesField(pprof_field::kFunction):
        keep(functions_);
        break;
      case BytesField(pprof_field::kString):
        texts_.push_back(ToText(message.get_view()));
        maker_.Charge(sizeof(std::string_view));
        break;
      case VarintField(pprof_field::kTime):
        time_ = message.get_int64();
        break;
      case VarintField(pprof_field::kDuration):
        duration_ = message.get_int64();
        break;
      case VarintField(pprof_field::kPeriod):
        period_ = message.get_int64();
        break;
      case VarintField(pprof_field::kComment):
        TakeComment(message.get_uint64());
        break;
      case BytesField(pprof_field::kComment):
        for (const uint64_t comment : message.get_packed_uint64()) TakeComment(comment);
        break;
      case VarintField(pprof_field::kDefaultSampleType):
        default_type_ = message.get_uint64();
        break;
      default:
        message.skip();
    }
    return !maker_.full();
  }

  void TakeComment(uint64_t text) {
    if (comment_ == 0) comment_ = text;
  }

  static Type ReadType(pbf_reader message) {
    Type type;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case VarintField(pprof_field::value_type::kType):
          type.name = message.get_uint64();
          break;
        case VarintField(pprof_field::value_type::kUnit):
          type.unit = message.get_uint64();
          break;
        default:
          message.skip();
      }
    }
    return type;
  }

  std::string_view Text(uint64_t number) {
    if (number < texts_.size()) return texts_[number];
    maker_.AddLoss("texts that are missing");
    return {};
  }

  void ReadMapping(const protozero::data_view& bytes) {
    uint64_t id = 0, file = 0;
    Guarded("mappings", [&] {
      for (pbf_reader message(bytes); message.next();) {
        switch (message.tag_and_type()) {
          case VarintField(pprof_field::mapping::kId):
            id = message.get_uint64();
            break;
          case VarintField(pprof_field::mapping::kFilename):
            file = message.get_uint64();
            break;
          default:
            message.skip();
        }
      }
    });
    Add(mapping_ids_, id, modules_, Text(file), "mappings");
  }

  void ReadFunction(const protozero::data_view& bytes) {
    uint64_t id = 0, system_name = 0;
    Function function;
    Guarded("functions", [&] {
      for (pbf_reader message(bytes); message.next();) {
        switch (message.tag_and_type()) {
          case VarintField(pprof_field::function::kId):
            id = message.get_uint64();
            break;
          case VarintField(pprof_field::function::kName):
            function.name = message.get_uint64();
            break;
          case VarintField(pprof_field::function::kSystemName):
            system_name = message.get_uint64();
            break;
          case VarintField(pprof_field::function::kFilename):
            function.file = message.get_uint64();
            break;
          case VarintField(pprof_field::function::kStartLine):
            function.first_line = Line(message.get_int64());
            break;
          default:
            message.skip();
        }
      }
    });
    if (function.name == 0) function.name = system_name;
    Add(function_ids_, id, all_functions_, function, "functions");
  }

  template <class Entry>
  void Add(PprofIds& ids, uint64_t id, std::vector<Entry>& table, const Entry& entry,
           const char* what) {
    if (maker_.full()) return;
    if (id == 0 || !ids.Add(id, static_cast<uint32_t>(table.size()))) {
      maker_.AddLoss(std::string(what) + " without an id of their own");
      return;
    }
    table.push_back(entry);
    maker_.Charge(sizeof(Entry) + 2 * sizeof(uint64_t));
  }

  void ReadLocation(const protozero::data_view& bytes) {
    if (maker_.full()) return;
    uint64_t id = 0, mapping = 0, address = 0;
    lines_.clear();
    Guarded("locations", [&] {
      for (pbf_reader message(bytes); message.next();) {
        switch (message.tag_and_type()) {
          case VarintField(pprof_field::location::kId):
            id = message.get_uint64();
            break;
          case VarintField(pprof_field::location::kMapping):
            mapping = message.get_uint64();
            break;
          case VarintField(pprof_field::location::kAddress):
            address = message.get_uint64();
            break;
          case BytesField(pprof_field::location::kLine):
            if (lines_.size() < ProfileMaker::kMaxDepth) {
              lines_.push_back(message.get_view());
            } else {
              message.skip();
              maker_.AddLoss("calls inlined into too many others");
            }
            break;
          default:
            message.skip();
        }
      }
    });
    std::string_view module;
    if (mapping != 0) {
      if (const uint32_t* const place = mapping_ids_.Find(mapping))
        module = modules_[*place];
      else
        maker_.AddLoss("mappings that are missing");
    }
    Location location{static_cast<uint32_t>(frames_.size()), 0};
    // The innermost comes first in the file.
    for (size_t i = lines_.size(); i-- > 0;)
      Guarded("lines", [&] { frames_.push_back(ReadLine(lines_[i], module, address)); });
    if (lines_.empty()) frames_.push_back(Unnamed(module, address));
    location.end = static_cast<uint32_t>(frames_.size());
    maker_.Charge((location.end - location.begin) * sizeof(FrameId));
    Add(location_ids_, id, all_locations_, location, "locations");
  }

  FrameId ReadLine(const protozero::data_view& bytes, std::string_view module, uint64_t address) {
    uint64_t function_id = 0;
    int64_t line = 0;
    for (pbf_reader message(bytes); message.next();) {
      switch (message.tag_and_type()) {
        case VarintField(pprof_field::line::kFunction):
          function_id = message.get_uint64();
          break;
        case VarintField(pprof_field::line::kLine):
          line = message.get_int64();
          break;
        default:
          message.skip();
      }
    }
    const uint32_t* const place = function_ids_.Find(function_id);
    if (place == nullptr) {
      maker_.AddLoss("functions that are missing");
      return Unnamed(module, address);
    }
    const Function& function = all_functions_[*place];
    FrameText text{.name = Text(function.name),
                   .file = Text(function.file),
                   .line = Line(line),
                   .first_line = function.first_line,
                   .module = module};
    // pyrometer names the module of native code as its file.
    if (text.file == module) text.file = {};
    if (IsKernel(module)) text.language = FrameText::Language::kKernel;
    return maker_.Frame(text);
  }

  FrameId Unnamed(std::string_view module, uint64_t address) {
    char name[20] = "0x";
    const auto [end, error] = std::to_chars(name + 2, std::end(name), address, 16);
    return maker_.Frame({.name = {name, static_cast<size_t>(end - name)},
                         .module = module,
                         .language = IsKernel(module) ? FrameText::Language::kKernel
                                                      : FrameText::Language::kNative});
  }

  void ReadFacts() {
    if (time_ > 0) maker_.SetStart(static_cast<uint64_t>(time_));
    if (duration_ > 0) maker_.SetDuration(static_cast<uint64_t>(duration_));
    if (comment_ != 0) maker_.SetTool(Text(comment_).substr(0, 100));
  }

  ValueTypes MakeTypes() {
    std::vector<ValueType> types;
    size_t preferred = types_.size() - 1;  // the most telling one is the last, by convention
    for (size_t i = 0; i < types_.size(); ++i) {
      types.push_back({Text(types_[i].name), Text(types_[i].unit)});
      if (default_type_ != 0 && types_[i].name == default_type_) preferred = i;
    }
    CountMeaning count = options_.count;
    if (const auto period_ns = PeriodNs()) {
      maker_.SetPeriod(*period_ns);
      if (!count.given) count = {.ns = *period_ns, .given = true};
    }
    return {types, count, preferred};
  }
  std::optional<uint64_t> PeriodNs() {
    if (period_ <= 0 || period_ > 1'000'000'000'000) return {};
    return Text(period_type_.unit) == "nanoseconds" ? std::optional<uint64_t>(period_)
                                                    : std::nullopt;
  }

  void ReadSamples() {
    const ValueTypes types = MakeTypes();
    PprofLabels labels(texts_, maker_);
    ForEach([&](pbf_reader& message) {
      if (message.tag_and_type() == BytesField(pprof_field::kSample)) {
        const protozero::data_view bytes = message.get_view();
        Guarded("samples", [&] { ReadSample(bytes, types, labels); });
      } else {
        message.skip();
      }
      return !maker_.full();
    });
    types.Note(maker_);
    labels.Note();
    if (cut_) maker_.AddLoss("the end of the file, which is cut off or damaged");
  }

  void ReadSample(const protozero::data_view& bytes, const ValueTypes& types, PprofLabels& labels) {
    path_.clear();
    values_.clear();
    std::string_view packed;
    for (pbf_reader message(bytes); message.next();) {
      switch (message.tag_and_type()) {
        case BytesField(pprof_field::sample::kLocation):
          if (packed.empty() && path_.empty()) {
            packed = ToText(message.get_view());
          } else {
            Unpack(std::exchange(packed, {}));
            Unpack(ToText(message.get_view()));
          }
          break;
        case VarintField(pprof_field::sample::kLocation):
          Unpack(std::exchange(packed, {}));
          AddStep(message.get_uint64());
          break;
        case BytesField(pprof_field::sample::kValue):
          for (const int64_t value : message.get_packed_int64()) AddValue(value, types);
          break;
        case VarintField(pprof_field::sample::kValue):
          AddValue(message.get_int64(), types);
          break;
        case BytesField(pprof_field::sample::kLabel):
          ReadLabel(message.get_message(), labels);
          break;
        default:
          message.skip();
      }
    }
    const format::ThreadId thread = labels.Thread();
    if (values_.size() != types.size()) {
      maker_.AddLoss("samples without a value of each type");
      return;
    }
    types.Add(maker_, thread, packed.empty() ? ReadStack() : StackOf(packed), values_);
  }

  void Unpack(std::string_view packed) {
    const char* at = packed.data();
    const char* const end = at + packed.size();
    while (at != end) AddStep(protozero::decode_varint(&at, end));
  }

  // Stacks come again and again, and one look at all of a stack is cheaper than one at each
  // of its frames.
  StackId StackOf(std::string_view packed) {
    if (const auto it = known_stacks_.find(packed); it != known_stacks_.end()) return it->second;
    Unpack(packed);
    const StackId stack = ReadStack();
    known_stacks_.emplace(packed, stack);
    maker_.Charge(sizeof(std::string_view) + 5 * sizeof(void*));
    return stack;
  }

  void AddStep(uint64_t location) {
    if (path_.size() < kMaxPath)
      path_.push_back(location);
    else
      maker_.AddLoss("locations of absurdly deep stacks");
  }
  // One too many is enough to know that it is wrong.
  void AddValue(int64_t value, const ValueTypes& types) {
    if (values_.size() <= types.size()) values_.push_back(value);
  }

  static void ReadLabel(pbf_reader message, PprofLabels& labels) {
    uint64_t key = 0, text = 0;
    int64_t number = 0;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case VarintField(pprof_field::label::kKey):
          key = message.get_uint64();
          break;
        case VarintField(pprof_field::label::kText):
          text = message.get_uint64();
          break;
        case VarintField(pprof_field::label::kNumber):
          number = message.get_int64();
          break;
        default:
          message.skip();
      }
    }
    labels.Take(key, text, number);
  }

  // The stack of path_, which is innermost first. Most of it is that of the sample before.
  StackId ReadStack() {
    std::ranges::reverse(path_);
    size_t depth = 0;
    for (const uint64_t id : path_) {
      const uint32_t* const place = location_ids_.Find(id);
      if (place != nullptr) depth += all_locations_[*place].end - all_locations_[*place].begin;
    }
    if (depth > ProfileMaker::kMaxDepth) return ReadDeepStack();
    size_t same = 0;
    while (same < path_.size() && same < steps_.size() && path_[same] == steps_[same].location)
      ++same;
    steps_.resize(same);
    StackId stack = same == 0 ? format::kEmptyStack : steps_.back().stack;
    for (size_t i = same; i < path_.size(); ++i) {
      for (const FrameId frame : FramesOf(path_[i])) stack = maker_.Stack(stack, frame);
      steps_.push_back({path_[i], stack});
    }
    return stack;
  }

  // Its ends are enough: the maker leaves out the middle. All of it could be millions of
  // times the size of the file.
  StackId ReadDeepStack() {
    std::vector<FrameId> outer, inner;
    for (size_t i = 0; i < path_.size() && outer.size() < ProfileMaker::kMaxDepth; ++i)
      outer.insert(outer.end(), FramesOf(path_[i]).begin(), FramesOf(path_[i]).end());
    for (size_t i = path_.size(); i-- > 0 && inner.size() < ProfileMaker::kMaxDepth;)
      inner.insert(inner.begin(), FramesOf(path_[i]).begin(), FramesOf(path_[i]).end());
    outer.insert(outer.end(), inner.begin(), inner.end());
    return maker_.Stack(outer);
  }

  std::span<const FrameId> FramesOf(uint64_t id) {
    const uint32_t* const place = location_ids_.Find(id);
    if (place == nullptr) {
      maker_.AddLoss("locations that are missing");
      return {};
    }
    const Location& location = all_locations_[*place];
    return std::span(frames_).subspan(location.begin, location.end - location.begin);
  }

  const std::string& bytes_;
  const ReadOptions& options_;
  ProfileMaker& maker_;
  bool cut_ = false;

  std::vector<Type> types_;
  Type period_type_;
  uint64_t default_type_ = 0, comment_ = 0;
  int64_t time_ = 0, duration_ = 0, period_ = 0;
  std::vector<std::string_view> texts_;
  std::vector<protozero::data_view> mappings_, functions_, locations_;

  PprofIds mapping_ids_, function_ids_, location_ids_;
  std::vector<std::string_view> modules_;
  std::vector<Function> all_functions_;
  std::vector<Location> all_locations_;
  std::vector<FrameId> frames_;

  // Of one location or sample, kept for their memory.
  std::vector<protozero::data_view> lines_;
  std::vector<uint64_t> path_;
  std::vector<int64_t> values_;
  struct Step {
    uint64_t location;
    StackId stack;
  };
  std::unordered_map<std::string_view, StackId> known_stacks_;  // by packed locations
  std::vector<Step> steps_;  // of the sample before, outermost first
};

bool IsValueType(const protozero::data_view& bytes) {
  int fields = 0;
  for (pbf_reader message(bytes); message.next(); ++fields) {
    if (message.tag_and_type() != VarintField(pprof_field::value_type::kType) &&
        message.tag_and_type() != VarintField(pprof_field::value_type::kUnit))
      return false;
    message.skip();
  }
  return fields > 0;
}

}  // namespace

bool RecognisesPprof(std::string_view head, bool whole) {
  bool has_type = false;
  try {
    for (pbf_reader message(head.data(), head.size()); message.next();) {
      const bool is_message =
          message.tag() <= pprof_field::kString || message.tag() == pprof_field::kPeriodType;
      if (message.tag() == 0 || message.tag() > pprof_field::kLast ||
          (message.wire_type() != Wire::length_delimited &&
           (is_message || message.wire_type() != Wire::varint)))
        return false;
      if (message.tag() == pprof_field::kSampleType) {
        if (!IsValueType(message.get_view())) return false;
        has_type = true;
      } else {
        message.skip();
      }
    }
  } catch (const protozero::exception&) {
    return has_type && !whole;  // else it goes on behind the head
  }
  return has_type;
}

base::Status ReadPprof(ByteInput& input, const ReadOptions& options, ProfileMaker& maker) {
  const base::Result<std::string> bytes = input.ReadAll();
  if (!bytes.ok()) return bytes.error();
  return Pprof(bytes.value(), options, maker).Read();
}

}  // namespace pyrometer::import_
