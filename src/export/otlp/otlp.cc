// SPDX-License-Identifier: Apache-2.0
#include "export/otlp/otlp.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "analyze/views/tasks.h"
#include "export/core/native_modules.h"
#include "export/core/stack_sums.h"
#include "export/stream/message_stream.h"
#include "export/tables/process_list.h"

namespace pyrometer::export_ {
namespace {

using protozero::pbf_writer;

// Field numbers of profiles.proto, common.proto and resource.proto.
namespace field {
constexpr uint32_t kResourceProfiles = 1, kDictionary = 2;
namespace dictionary {
constexpr uint32_t kMapping = 1, kLocation = 2, kFunction = 3, kLink = 4, kString = 5,
                   kAttribute = 6, kStack = 7;
}
namespace resource_profiles {
constexpr uint32_t kResource = 1, kScopeProfiles = 2;
}
namespace resource {
constexpr uint32_t kAttribute = 1;
}
namespace key_value {
constexpr uint32_t kKey = 1, kValue = 2;
}
namespace any_value {
constexpr uint32_t kString = 1, kInteger = 3;
}
namespace scope_profiles {
constexpr uint32_t kScope = 1, kProfile = 2;
}
namespace scope {
constexpr uint32_t kName = 1, kVersion = 2;
}
namespace profile {
constexpr uint32_t kSampleType = 1, kSample = 2, kTime = 3, kDuration = 4, kPeriodType = 5,
                   kPeriod = 6;
}
namespace value_type {
constexpr uint32_t kType = 1, kUnit = 2;
}
namespace sample {
constexpr uint32_t kStack = 1, kAttribute = 2, kValue = 4;
}
namespace mapping {
constexpr uint32_t kFilename = 4, kAttribute = 5;
}
namespace location {
constexpr uint32_t kMapping = 1, kLine = 3, kAttribute = 4;
}
namespace line {
constexpr uint32_t kFunction = 1, kLine = 2;
}
namespace function {
constexpr uint32_t kName = 1, kSystemName = 2, kFilename = 3, kStartLine = 4;
}
namespace attribute {
constexpr uint32_t kKey = 1, kValue = 2;
}
namespace stack {
constexpr uint32_t kLocation = 1;
}
}  // namespace field

// What one stack has of one metric, in one process.
struct Piece {
  uint32_t process;
  Metric metric;
  uint32_t node;
  uint32_t context;
  uint64_t value;

  auto profile() const { return std::tuple(process, metric); }
};

class Otlp {
 public:
  Otlp(Exchange& from, std::ostream& out)
      : from_(from),
        texts_(from.texts()),
        out_(out),
        modules_(from),
        sums_(from),
        stack_numbers_(from.nodes().size()) {}

  void Write() {
    WriteZeros();
    WriteFrames();
    const std::vector<Piece> pieces = Pieces();
    for (auto begin = pieces.begin(); begin != pieces.end();) {
      const auto end = std::find_if(
          begin, pieces.end(), [&](const Piece& p) { return p.profile() != begin->profile(); });
      WriteProfile({begin, end});
      begin = end;
    }
    // Last, because all of the above have named their texts.
    for (size_t i = 0; i < texts_.size(); ++i)
      Entry([&](pbf_writer& entry) { entry.add_string(field::dictionary::kString, texts_[i]); });
  }

 private:
  using Value = std::variant<int64_t, std::string>;

  template <class Fill>
  void Entry(Fill fill) {
    out_.Message(field::kDictionary, fill);
  }

  // Entry 0 of each table means "none".
  void WriteZeros() {
    for (const uint32_t table :
         {field::dictionary::kMapping, field::dictionary::kLocation, field::dictionary::kFunction,
          field::dictionary::kLink, field::dictionary::kAttribute, field::dictionary::kStack})
      Entry([&](pbf_writer& entry) { entry.add_message(table, std::string()); });
  }

  static void AddValue(pbf_writer& writer, uint32_t to, const Value& value) {
    pbf_writer any(writer, to);
    if (const auto* text = std::get_if<std::string>(&value)) {
      any.add_string(field::any_value::kString, *text);
    } else {
      any.add_int64(field::any_value::kInteger, std::get<int64_t>(value));
    }
  }

  // The number of an attribute, which is added if it is new.
  uint32_t Attribute(const std::string& key, Value value) {
    const auto [known, fresh] =
        attributes_.try_emplace({key, value}, static_cast<uint32_t>(attributes_.size() + 1));
    if (fresh) {
      const uint32_t key_number = texts_.Number(key);
      Entry([&](pbf_writer& entry) {
        pbf_writer attribute(entry, field::dictionary::kAttribute);
        attribute.add_int32(field::attribute::kKey, static_cast<int32_t>(key_number));
        AddValue(attribute, field::attribute::kValue, value);
      });
    }
    return known->second;
  }

  void WriteFrames() {
    for (const NativeModules::Module& module : modules_.all()) {
      std::vector<uint32_t> attributes;
      if (!module.build_id.empty())
        attributes.push_back(Attribute("process.executable.build_id.gnu", module.build_id));
      Entry([&](pbf_writer& entry) {
        pbf_writer mapping(entry, field::dictionary::kMapping);
        mapping.add_int32(field::mapping::kFilename, static_cast<int32_t>(module.path));
        mapping.add_packed_int32(field::mapping::kAttribute, attributes.begin(), attributes.end());
      });
    }
    for (const Exchange::Function& function : from_.functions()) {
      Entry([&](pbf_writer& entry) {
        pbf_writer writer(entry, field::dictionary::kFunction);
        writer.add_int32(field::function::kName, static_cast<int32_t>(function.name));
        writer.add_int32(field::function::kSystemName, static_cast<int32_t>(function.name));
        writer.add_int32(field::function::kFilename, static_cast<int32_t>(function.file));
        writer.add_int64(field::function::kStartLine, function.first_line);
      });
    }
    const uint32_t python = Attribute("profile.frame.type", "cpython");
    const uint32_t native = Attribute("profile.frame.type", "native");
    for (const Exchange::Frame& frame : from_.frames()) {
      const Exchange::Function& function = from_.FunctionOf(frame);
      Entry([&](pbf_writer& entry) {
        pbf_writer location(entry, field::dictionary::kLocation);
        location.add_int32(field::location::kMapping,
                           static_cast<int32_t>(modules_.NumberOf(function)));
        {
          pbf_writer line(location, field::location::kLine);
          line.add_int32(field::line::kFunction, static_cast<int32_t>(frame.function + 1));
          line.add_int64(field::line::kLine, frame.line);
        }
        if (function.kind == Exchange::Kind::kSpecial) return;
        const uint32_t kind = function.kind == Exchange::Kind::kPython ? python : native;
        location.add_packed_int32(field::location::kAttribute, &kind, &kind + 1);
      });
    }
  }

  std::vector<Piece> Pieces() {
    const std::vector<Metric> metrics = from_.Metrics();
    std::vector<Piece> pieces;
    sums_.ForEach([&](uint32_t node, std::span<const StackSums::Row> rows) {
      for (const StackSums::Row& row : rows) {
        const uint32_t thread = sums_.context(row.context).thread;
        const uint32_t process = from_.profile().threads[thread].info.process.value;
        for (const Metric metric : metrics)
          if (const uint64_t value = row.values[metric]; value != 0)
            pieces.push_back({process, metric, node, row.context, value});
      }
    });
    std::ranges::stable_sort(pieces, {}, &Piece::profile);
    return pieces;
  }

  uint32_t StackOf(uint32_t node) {
    uint32_t& number = stack_numbers_[node];
    if (number != 0) return number;
    std::vector<uint32_t> locations;
    from_.ForPath(node, [&](uint32_t frame) { locations.push_back(frame + 1); });
    Entry([&](pbf_writer& entry) {
      pbf_writer stack(entry, field::dictionary::kStack);
      stack.add_packed_int32(field::stack::kLocation, locations.begin(), locations.end());
    });
    return number = ++stacks_;
  }

  const std::vector<uint32_t>& AttributesOf(uint32_t number) {
    if (number >= contexts_.size()) contexts_.resize(number + 1);
    std::vector<uint32_t>& attributes = contexts_[number];
    if (!attributes.empty()) return attributes;
    const StackSums::Context& context = sums_.context(number);
    const profile::Profile& profile = from_.profile();
    const analyze::ThreadStats& thread = *from_.threads()[context.thread];
    attributes.push_back(Attribute("thread.id", Signed(thread.tid)));
    attributes.push_back(Attribute("thread.name", ValidUtf8(thread.name)));
    if (context.task != 0) {
      const std::string name = analyze::TaskName(profile, profile.tasks[context.task - 1]);
      attributes.push_back(Attribute("task", ValidUtf8(name)));
    }
    if (context.region != format::kEmptyString)
      attributes.push_back(Attribute("region", ValidUtf8(profile.Text(context.region))));
    return attributes;
  }

  void AddType(pbf_writer& writer, uint32_t to, Metric metric) {
    pbf_writer type(writer, to);
    type.add_int32(field::value_type::kType,
                   static_cast<int32_t>(texts_.Number(from_.InfoOf(metric).name)));
    type.add_int32(field::value_type::kUnit,
                   static_cast<int32_t>(texts_.Number(metric::UnitName(from_.InfoOf(metric)))));
  }

  void WriteProfile(std::span<const Piece> pieces) {
    // Entries of the dictionary cannot be written inside of another field.
    for (const Piece& piece : pieces) {
      StackOf(piece.node);
      AttributesOf(piece.context);
    }
    const analyze::ProcessReport& process = from_.report().processes[pieces.front().process];
    out_.Message(field::kResourceProfiles, [&](pbf_writer& writer) {
      {
        pbf_writer resource(writer, field::resource_profiles::kResource);
        AddAttribute(resource, "process.pid", Signed(process.pid));
        AddAttribute(resource, "process.command_line", from_.ProcessName(pieces.front().process));
        AddAttribute(resource, "process.runtime.description", ValidUtf8(process.interpreter));
      }
      pbf_writer scoped(writer, field::resource_profiles::kScopeProfiles);
      {
        pbf_writer scope(scoped, field::scope_profiles::kScope);
        scope.add_string(field::scope::kName, "pyrometer");
        scope.add_string(field::scope::kVersion, ValidUtf8(from_.profile().run.pyrometer_version));
      }
      pbf_writer profile(scoped, field::scope_profiles::kProfile);
      AddType(profile, field::profile::kSampleType, pieces.front().metric);
      profile.add_fixed64(field::profile::kTime, from_.profile().run.start_unix_ns);
      profile.add_uint64(field::profile::kDuration, EndOf(from_.profile(), from_.report()));
      if (process.sample_period_ns != 0) {
        AddType(profile, field::profile::kPeriodType, Metric::kCpu);
        profile.add_int64(field::profile::kPeriod, Signed(process.sample_period_ns));
      }
      for (const Piece& piece : pieces) {
        pbf_writer sample(profile, field::profile::kSample);
        sample.add_int32(field::sample::kStack, static_cast<int32_t>(StackOf(piece.node)));
        const std::vector<uint32_t>& attributes = AttributesOf(piece.context);
        sample.add_packed_int32(field::sample::kAttribute, attributes.begin(), attributes.end());
        const int64_t value = Signed(piece.value);
        sample.add_packed_int64(field::sample::kValue, &value, &value + 1);
      }
    });
  }
  static void AddAttribute(pbf_writer& resource, const char* key, const Value& value) {
    pbf_writer attribute(resource, field::resource::kAttribute);
    attribute.add_string(field::key_value::kKey, key);
    AddValue(attribute, field::key_value::kValue, value);
  }

  Exchange& from_;
  TextTable& texts_;
  MessageStream out_;
  const NativeModules modules_;
  StackSums sums_;
  std::vector<uint32_t> stack_numbers_;  // by node; 0: not written yet
  uint32_t stacks_ = 0;
  std::map<std::pair<std::string, Value>, uint32_t> attributes_;
  std::vector<std::vector<uint32_t>> contexts_;  // attributes of each
};

}  // namespace

void WriteOtlp(Exchange& from, std::ostream& out) { Otlp(from, out).Write(); }

}  // namespace pyrometer::export_
