// SPDX-License-Identifier: Apache-2.0
#include "export/pprof/pprof.h"

#include <string>
#include <vector>

#include "analyze/views/tasks.h"
#include "exchange/pprof_field.h"
#include "export/core/native_modules.h"
#include "export/core/stack_sums.h"
#include "export/stream/deflate_buffer.h"
#include "export/stream/message_stream.h"
#include "export/tables/process_list.h"

namespace pyrometer::export_ {
namespace {

using protozero::pbf_writer;

// The highest that deflates 100 MB of a large profile in a second.
constexpr int kLevel = 1;

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
    for (size_t i = 0; i < texts_.size(); ++i) out_.Bytes(pprof_field::kString, texts_[i]);
  }

 private:
  void WriteType(uint32_t to, Metric metric) {
    out_.Message(to, [&](pbf_writer& type) {
      type.add_int64(pprof_field::value_type::kType, texts_.Number(from_.InfoOf(metric).name));
      type.add_int64(pprof_field::value_type::kUnit,
                     texts_.Number(metric::UnitName(from_.InfoOf(metric))));
    });
  }

  void WriteTypes() {
    for (const Metric metric : metrics_) WriteType(pprof_field::kSampleType, metric);
    const profile::Profile& profile = from_.profile();
    out_.Number(pprof_field::kTime, profile.run.start_unix_ns);
    out_.Number(pprof_field::kDuration, EndOf(profile, from_.report()));
    out_.Number(pprof_field::kDefaultSampleType,
                texts_.Number(from_.InfoOf(from_.DefaultMetric()).name));
    out_.Number(pprof_field::kComment, texts_.Number("pyrometer " + profile.run.pyrometer_version));
    if (!profile.processes.empty() && from_.has_time()) {
      WriteType(pprof_field::kPeriodType, Metric::kCpu);
      out_.Number(pprof_field::kPeriod, profile.processes.front().info.sample_period_ns);
    }
  }

  void WriteMappings() {
    for (size_t i = 0; i < modules_.all().size(); ++i) {
      const NativeModules::Module& module = modules_.all()[i];
      out_.Message(pprof_field::kMapping, [&](pbf_writer& mapping) {
        mapping.add_uint64(pprof_field::mapping::kId, i + 1);
        mapping.add_int64(pprof_field::mapping::kFilename, module.path);
        mapping.add_int64(pprof_field::mapping::kBuildId, texts_.Number(module.build_id));
        // Else pprof looks for symbols itself.
        for (const uint32_t has :
             {pprof_field::mapping::kHasFunctions, pprof_field::mapping::kHasFilenames,
              pprof_field::mapping::kHasLines, pprof_field::mapping::kHasInlined})
          mapping.add_bool(has, true);
      });
    }
  }

  void WriteFrames() {
    for (size_t i = 0; i < from_.functions().size(); ++i) {
      const Exchange::Function& function = from_.functions()[i];
      out_.Message(pprof_field::kFunction, [&](pbf_writer& writer) {
        writer.add_uint64(pprof_field::function::kId, i + 1);
        writer.add_int64(pprof_field::function::kName, function.name);
        writer.add_int64(pprof_field::function::kSystemName, function.name);
        writer.add_int64(pprof_field::function::kFilename, function.file);
        writer.add_int64(pprof_field::function::kStartLine, function.first_line);
      });
    }
    for (size_t i = 0; i < from_.frames().size(); ++i) {
      const Exchange::Frame& frame = from_.frames()[i];
      const Exchange::Function& function = from_.FunctionOf(frame);
      out_.Message(pprof_field::kLocation, [&](pbf_writer& writer) {
        writer.add_uint64(pprof_field::location::kId, i + 1);
        if (const uint32_t module = modules_.NumberOf(function); module != 0)
          writer.add_uint64(pprof_field::location::kMapping, module);
        pbf_writer line(writer, pprof_field::location::kLine);
        line.add_uint64(pprof_field::line::kFunction, frame.function + 1);
        line.add_int64(pprof_field::line::kLine, frame.line);
      });
    }
  }

  void AddText(std::string& labels, std::string_view key, std::string_view text) {
    if (text.empty()) return;
    pbf_writer sample(labels);
    pbf_writer label(sample, pprof_field::sample::kLabel);
    label.add_int64(pprof_field::label::kKey, texts_.Number(key));
    label.add_int64(pprof_field::label::kText, texts_.Number(text));
  }
  void AddNumber(std::string& labels, std::string_view key, uint64_t number) {
    pbf_writer sample(labels);
    pbf_writer label(sample, pprof_field::sample::kLabel);
    label.add_int64(pprof_field::label::kKey, texts_.Number(key));
    label.add_int64(pprof_field::label::kNumber, Signed(number));
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
      pbf_writer(path).add_packed_uint64(pprof_field::sample::kLocation, locations.begin(),
                                         locations.end());
      for (const StackSums::Row& row : rows) {
        sample = path;
        values.clear();
        for (const Metric metric : metrics_) values.push_back(Signed(row.values[metric]));
        pbf_writer(sample).add_packed_int64(pprof_field::sample::kValue, values.begin(),
                                            values.end());
        sample += LabelsOf(sums, row.context);
        out_.Bytes(pprof_field::kSample, sample);
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
