// SPDX-License-Identifier: Apache-2.0
#include "format/capture_writer.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "format/block_writer.h"
#include "format/layout.h"
#include "format/live_parts.h"
#include "format/memory_change_codec.h"
#include "format/record_batch.h"
#include "format/record_codec.h"
#include "format/sample_codec.h"

namespace pyrometer::format {
namespace {

// Large enough for the compressor to learn, small enough to lose.
constexpr size_t kFullBatchBytes = size_t{192} << 10;
constexpr size_t kFullSamples = 16384;
constexpr size_t kFullMemoryChanges = 8192;

}  // namespace

class CaptureWriter::Impl {
 public:
  Impl(Sink& sink, const RunInfo& run) : blocks_(sink) {
    status_ = blocks_.WriteFileHeader();
    ByteWriter payload;
    Encode(run, payload);
    WriteBlock(BlockType::kRun, payload);
  }

  StringId Intern(std::string_view text) {
    text = text.substr(0, kMaxTextBytes);
    if (text.empty() || !status_.ok()) return kEmptyString;
    if (const auto it = interned_.find(text); it != interned_.end()) return it->second;
    const StringId id(strings_.next_id());
    strings_.Begin().Text(text);
    interned_.emplace(text, id);
    FlushIfFull(strings_);
    return id;
  }

  template <class Record>
  uint32_t Define(RecordBatch& table, const Record& record) {
    const uint32_t id = table.next_id();
    if (status_.ok()) {
      Encode(record, table.Begin());
      FlushIfFull(table);
    } else {
      table.SkipId();
    }
    return id;
  }

  StackId DefineStack(const StackInfo& stack) {
    const StackId id(stacks_.next_id());
    if (status_.ok()) {
      Encode(stack, id, stacks_.Begin());
      FlushIfFull(stacks_);
    } else {
      stacks_.SkipId();
    }
    return id;
  }

  template <class Record>
  void Note(RecordBatch& batch, const Record& record) {
    if (!status_.ok()) return;
    Encode(record, batch.Begin());
    FlushIfFull(batch);
  }

  void AddSample(const Sample& sample) {
    if (!status_.ok()) return;
    samples_.push_back(sample);
    if (samples_.size() >= kFullSamples) static_cast<void>(Flush());
  }

  void AddMemoryChange(const MemoryChange& change) {
    if (!status_.ok()) return;
    memory_changes_.push_back(change);
    if (memory_changes_.size() >= kFullMemoryChanges) static_cast<void>(Flush());
  }

  base::Status Flush() {
    // The order of the file: what is referred to stands first.
    for (RecordBatch* batch : {&strings_, &processes_, &threads_, &codes_, &modules_, &frames_,
                               &stacks_, &tasks_, &metrics_}) {
      WriteBatch(*batch);
    }
    WriteSamples();
    WriteMemoryChanges();
    for (RecordBatch* batch :
         {&symbols_, &sources_, &counters_, &gil_waits_, &regions_, &profiled_, &task_origins_,
          &awaits_, &loop_blocks_, &memory_peaks_, &memory_survivors_, &memory_levels_, &amounts_,
          &task_ends_, &thread_ends_, &process_ends_}) {
      WriteBatch(*batch);
    }
    return status_;
  }

  base::Status Finish(const RunEnd& end) {
    static_cast<void>(Flush());
    ByteWriter payload;
    Encode(end, payload);
    WriteBlock(BlockType::kRunEnd, payload);
    return status_;
  }

  RecordBatch processes_{BlockType::kProcesses, RecordBatch::Ids::kFromZero};
  RecordBatch threads_{BlockType::kThreads, RecordBatch::Ids::kFromZero};
  RecordBatch codes_{BlockType::kCodes, RecordBatch::Ids::kFromZero};
  RecordBatch modules_{BlockType::kModules, RecordBatch::Ids::kFromZero};
  RecordBatch frames_{BlockType::kFrames, RecordBatch::Ids::kFromZero};
  RecordBatch symbols_{BlockType::kSymbols, RecordBatch::Ids::kNone};
  RecordBatch sources_{BlockType::kSources, RecordBatch::Ids::kNone};
  RecordBatch counters_{BlockType::kCounters, RecordBatch::Ids::kNone};
  RecordBatch gil_waits_{BlockType::kGilWaits, RecordBatch::Ids::kNone};
  RecordBatch regions_{BlockType::kRegions, RecordBatch::Ids::kNone};
  RecordBatch profiled_{BlockType::kProfiledFunctions, RecordBatch::Ids::kNone};
  RecordBatch tasks_{BlockType::kTasks, RecordBatch::Ids::kFromZero};
  RecordBatch task_ends_{BlockType::kTaskEnds, RecordBatch::Ids::kNone};
  RecordBatch task_origins_{BlockType::kTaskOrigins, RecordBatch::Ids::kNone};
  RecordBatch awaits_{BlockType::kAwaits, RecordBatch::Ids::kNone};
  RecordBatch loop_blocks_{BlockType::kLoopBlocks, RecordBatch::Ids::kNone};
  RecordBatch memory_peaks_{BlockType::kMemoryPeaks, RecordBatch::Ids::kNone};
  RecordBatch memory_survivors_{BlockType::kMemorySurvivors, RecordBatch::Ids::kNone};
  RecordBatch memory_levels_{BlockType::kMemoryLevels, RecordBatch::Ids::kNone};
  RecordBatch metrics_{BlockType::kMetrics, RecordBatch::Ids::kFromZero};
  RecordBatch amounts_{BlockType::kMetricAmounts, RecordBatch::Ids::kNone};
  RecordBatch thread_ends_{BlockType::kThreadEnds, RecordBatch::Ids::kNone};
  RecordBatch process_ends_{BlockType::kProcessEnds, RecordBatch::Ids::kNone};

 private:
  void FlushIfFull(const RecordBatch& batch) {
    if (batch.size_bytes() >= kFullBatchBytes) static_cast<void>(Flush());
  }

  void WriteBatch(RecordBatch& batch) {
    if (batch.empty()) return;
    payload_.Clear();
    batch.WriteTo(payload_);
    WriteBlock(batch.type(), payload_);
    batch.Clear();
  }

  void WriteSamples() {
    if (samples_.empty()) return;
    payload_.Clear();
    EncodeSamples(samples_, payload_);
    WriteBlock(
        KindOf(samples_) == SampleKind::kInTasks ? BlockType::kTaskSamples : BlockType::kSamples,
        payload_);
    samples_.clear();
  }

  void WriteMemoryChanges() {
    if (memory_changes_.empty()) return;
    payload_.Clear();
    EncodeMemoryChanges(memory_changes_, payload_);
    WriteBlock(BlockType::kMemoryChanges, payload_);
    memory_changes_.clear();
  }

  void WriteBlock(BlockType type, const ByteWriter& payload) {
    if (status_.ok()) status_ = blocks_.Write(type, payload.bytes());
  }

  BlockWriter blocks_;
  base::Status status_;
  RecordBatch strings_{BlockType::kStrings, RecordBatch::Ids::kFromOne};
  RecordBatch stacks_{BlockType::kStacks, RecordBatch::Ids::kFromOne};
  std::unordered_map<std::string, StringId, base::TextHash, std::equal_to<>> interned_;
  std::vector<Sample> samples_;
  std::vector<MemoryChange> memory_changes_;
  ByteWriter payload_;
};

CaptureWriter::CaptureWriter(Sink& sink, const RunInfo& run)
    : impl_(std::make_unique<Impl>(sink, run)) {}

CaptureWriter::~CaptureWriter() = default;

StringId CaptureWriter::Intern(std::string_view text) { return impl_->Intern(text); }

ProcessId CaptureWriter::AddProcess(const ProcessInfo& process) {
  return ProcessId(impl_->Define(impl_->processes_, process));
}

ThreadId CaptureWriter::AddThread(const ThreadInfo& thread) {
  return ThreadId(impl_->Define(impl_->threads_, thread));
}

CodeId CaptureWriter::AddCode(const CodeInfo& code) {
  return CodeId(impl_->Define(impl_->codes_, code));
}

ModuleId CaptureWriter::AddModule(const ModuleInfo& module) {
  return ModuleId(impl_->Define(impl_->modules_, module));
}

FrameId CaptureWriter::AddFrame(const FrameInfo& frame) {
  return FrameId(impl_->Define(impl_->frames_, frame));
}

StackId CaptureWriter::AddStack(const StackInfo& stack) { return impl_->DefineStack(stack); }

void CaptureWriter::AddSample(const Sample& sample) { impl_->AddSample(sample); }

void CaptureWriter::AddSymbol(const SymbolInfo& symbol) { impl_->Note(impl_->symbols_, symbol); }

void CaptureWriter::AddSource(const SourceInfo& source) {
  if (source.text.size() <= kMaxSourceBytes) impl_->Note(impl_->sources_, source);
}

void CaptureWriter::AddCounter(const CounterInfo& counter) {
  impl_->Note(impl_->counters_, counter);
}

void CaptureWriter::AddGilWait(const GilWait& wait) { impl_->Note(impl_->gil_waits_, wait); }

void CaptureWriter::AddRegion(const RegionInfo& region) { impl_->Note(impl_->regions_, region); }

void CaptureWriter::AddProfiledFunction(const ProfiledFunction& function) {
  impl_->Note(impl_->profiled_, function);
}

TaskId CaptureWriter::AddTask(const TaskInfo& task) {
  return TaskId(impl_->Define(impl_->tasks_, task));
}

void CaptureWriter::EndTask(const TaskEnd& end) { impl_->Note(impl_->task_ends_, end); }

void CaptureWriter::AddTaskOrigin(const TaskOrigin& origin) {
  impl_->Note(impl_->task_origins_, origin);
}

void CaptureWriter::AddAwait(const Await& await) { impl_->Note(impl_->awaits_, await); }

void CaptureWriter::AddLoopBlock(const LoopBlock& block) {
  impl_->Note(impl_->loop_blocks_, block);
}

void CaptureWriter::AddMemoryChange(const MemoryChange& change) { impl_->AddMemoryChange(change); }

void CaptureWriter::AddMemoryPeak(MemoryPeak peak) {
  BoundLiveParts(peak.parts);
  impl_->Note(impl_->memory_peaks_, peak);
}

void CaptureWriter::AddMemorySurvivors(MemorySurvivors survivors) {
  BoundLiveParts(survivors.parts);
  impl_->Note(impl_->memory_survivors_, survivors);
}

void CaptureWriter::AddMemoryLevel(const MemoryLevel& level) {
  impl_->Note(impl_->memory_levels_, level);
}

MetricId CaptureWriter::AddMetric(const MetricInfo& metric) {
  return MetricId(impl_->Define(impl_->metrics_, metric));
}

void CaptureWriter::AddMetricAmount(const MetricAmount& amount) {
  impl_->Note(impl_->amounts_, amount);
}

void CaptureWriter::EndThread(const ThreadEnd& end) { impl_->Note(impl_->thread_ends_, end); }

void CaptureWriter::EndProcess(const ProcessEnd& end) { impl_->Note(impl_->process_ends_, end); }

base::Status CaptureWriter::Flush() { return impl_->Flush(); }

base::Status CaptureWriter::Finish(const RunEnd& end) { return impl_->Finish(end); }

}  // namespace pyrometer::format
