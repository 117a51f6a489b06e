// SPDX-License-Identifier: Apache-2.0
#include "export/pprof.h"

#include <string>
#include <vector>

#include "analyze/tasks.h"
#include "export/deflate_buffer.h"
#include "export/message_stream.h"
#include "export/native_modules.h"
#include "export/process_list.h"
#include "export/stack_sums.h"

namespace pyrometer::export_ {
namespace {

using protozero::pbf_writer;

// The highest that deflates 100 MB of a large profile in a second.
constexpr int kLevel = 1;

// Field numbers of profile.proto.
namespace field {
constexpr uint32_t kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5,
                   kString = 6, kTime = 9, kDuration = 10, kPeriodType = 11, kPeriod = 12,
                   kComment = 13, kDefaultSampleType = 14;
namespace value_type {
constexpr uint32_t kType = 1, kUnit = 2;
}
namespace sample {
constexpr uint32_t kLocation = 1, kValue = 2, kLabel = 3;
}
namespace label {
constexpr uint32_t kKey = 1, kText = 2, kNumber = 3;
}
namespace mapping {
constexpr uint32_t kId = 1, kFilename = 5, kBuildId = 6, kHasFunctions = 7, kHasFilenames = 8,
                   kHasLines = 9, kHasInlined = 10;
}
namespace location {
constexpr uint32_t kId = 1, kMapping = 2, kLine = 4;
}
namespace line {
constexpr uint32_t kFunction = 1, kLine = 2;
}
namespace function {
constexpr uint32_t kId = 1, kName = 2, kSystemName = 3, kFilename = 4, kStartLine = 5;
}
}  // namespace field

class Pprof {
 public:
  Pprof(Exchange& from, std::ostream& out)
      : from_(from), texts_(from.texts()), out_(out), metrics_(from.Metrics()), modules_(from) {}

  void Write() {
    WriteTypes();
    WriteMappings();
    WriteFrames();
    WriteSamples();
    // Last, because all of the above have named their texts.
    for (size_t i = 0; i < texts_.size(); ++i) out_.Bytes(field::kString, texts_[i]);
  }

 private:
  void WriteType(uint32_t to, Metric metric) {
    out_.Message(to, [&](pbf_writer& type) {
      type.add_int64(field::value_type::kType, texts_.Number(MetricName(metric)));
      type.add_int64(field::value_type::kUnit, texts_.Number(UnitName(UnitOf(metric))));
    });
  }

  void WriteTypes() {
    for (const Metric metric : metrics_) WriteType(field::kSampleType, metric);
    const profile::Profile& profile = from_.profile();
    out_.Number(field::kTime, profile.run.start_unix_ns);
    out_.Number(field::kDuration, EndOf(profile, from_.report()));
    out_.Number(field::kDefaultSampleType, texts_.Number(MetricName(from_.DefaultMetric())));
    out_.Number(field::kComment, texts_.Number("pyrometer " + profile.run.pyrometer_version));
    if (!profile.processes.empty() && from_.has_time()) {
      WriteType(field::kPeriodType, Metric::kCpu);
      out_.Number(field::kPeriod, profile.processes.front().info.sample_period_ns);
    }
  }

  void WriteMappings() {
    for (size_t i = 0; i < modules_.all().size(); ++i) {
      const NativeModules::Module& module = modules_.all()[i];
      out_.Message(field::kMapping, [&](pbf_writer& mapping) {
        mapping.add_uint64(field::mapping::kId, i + 1);
        mapping.add_int64(field::mapping::kFilename, module.path);
        mapping.add_int64(field::mapping::kBuildId, texts_.Number(module.build_id));
        // Else pprof looks for symbols itself.
        for (const uint32_t has : {field::mapping::kHasFunctions, field::mapping::kHasFilenames,
                                   field::mapping::kHasLines, field::mapping::kHasInlined})
          mapping.add_bool(has, true);
      });
    }
  }

  void WriteFrames() {
    for (size_t i = 0; i < from_.functions().size(); ++i) {
      const Exchange::Function& function = from_.functions()[i];
      out_.Message(field::kFunction, [&](pbf_writer& writer) {
        writer.add_uint64(field::function::kId, i + 1);
        writer.add_int64(field::function::kName, function.name);
        writer.add_int64(field::function::kSystemName, function.name);
        writer.add_int64(field::function::kFilename, function.file);
        writer.add_int64(field::function::kStartLine, function.first_line);
      });
    }
    for (size_t i = 0; i < from_.frames().size(); ++i) {
      const Exchange::Frame& frame = from_.frames()[i];
      const Exchange::Function& function = from_.FunctionOf(frame);
      out_.Message(field::kLocation, [&](pbf_writer& writer) {
        writer.add_uint64(field::location::kId, i + 1);
        if (const uint32_t module = modules_.NumberOf(function); module != 0)
          writer.add_uint64(field::location::kMapping, module);
        pbf_writer line(writer, field::location::kLine);
        line.add_uint64(field::line::kFunction, frame.function + 1);
        line.add_int64(field::line::kLine, frame.line);
      });
    }
  }

  void AddText(std::string& labels, std::string_view key, std::string_view text) {
    if (text.empty()) return;
    pbf_writer sample(labels);
    pbf_writer label(sample, field::sample::kLabel);
    label.add_int64(field::label::kKey, texts_.Number(key));
    label.add_int64(field::label::kText, texts_.Number(text));
  }
  void AddNumber(std::string& labels, std::string_view key, uint64_t number) {
    pbf_writer sample(labels);
    pbf_writer label(sample, field::sample::kLabel);
    label.add_int64(field::label::kKey, texts_.Number(key));
    label.add_int64(field::label::kNumber, Signed(number));
  }

  // The bytes of the labels, which most samples share with others.
  const std::string& LabelsOf(const StackSums& sums, uint32_t number) {
    if (number >= labels_.size()) labels_.resize(number + 1);
    std::string& labels = labels_[number];
    if (!labels.empty()) return labels;
    const StackSums::Context& context = sums.context(number);
    const profile::Profile& profile = from_.profile();
    const analyze::ThreadStats& thread = *from_.threads()[context.thread];
    const uint32_t process = profile.threads[context.thread].info.process.value;
    AddText(labels, "process", from_.ProcessName(process));
    AddNumber(labels, "pid", thread.pid);
    AddText(labels, "thread", thread.name);
    AddNumber(labels, "tid", thread.tid);
    if (context.task != 0)
      AddText(labels, "task", analyze::TaskName(profile, profile.tasks[context.task - 1]));
    AddText(labels, "region", profile.Text(context.region));
    return labels;
  }

  void WriteSamples() {
    StackSums sums(from_);
    std::string path, sample;
    std::vector<uint64_t> locations;
    std::vector<int64_t> values;
    sums.ForEach([&](uint32_t node, std::span<const StackSums::Row> rows) {
      locations.clear();
      from_.ForPath(node, [&](uint32_t frame) { locations.push_back(frame + 1); });
      path.clear();
      pbf_writer(path).add_packed_uint64(field::sample::kLocation, locations.begin(),
                                         locations.end());
      for (const StackSums::Row& row : rows) {
        sample = path;
        values.clear();
        for (const Metric metric : metrics_) values.push_back(Signed(row.values[metric]));
        pbf_writer(sample).add_packed_int64(field::sample::kValue, values.begin(), values.end());
        sample += LabelsOf(sums, row.context);
        out_.Bytes(field::kSample, sample);
      }
    });
  }

  Exchange& from_;
  TextTable& texts_;
  MessageStream out_;
  const std::vector<Metric> metrics_;
  const NativeModules modules_;
  std::vector<std::string> labels_;  // by context
};

}  // namespace

void WritePprof(Exchange& from, std::ostream& out) {
  DeflateBuffer packer(out, DeflateBuffer::Wrapping::kGzip, kLevel);
  std::ostream packed(&packer);
  Pprof(from, packed).Write();
}

}  // namespace pyrometer::export_
