// SPDX-License-Identifier: Apache-2.0
#include "format/block_decoder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "format/byte_reader.h"
#include "format/memory_change_codec.h"
#include "format/record_codec.h"

namespace pyrometer::format {
namespace {

// Memory that a record may take once it is kept, besides its texts, which are
// paid for by the size of their block: the record, and its places in indexes.
constexpr uint64_t kIndexBytes = 32;

template <class Record>
uint64_t MemoryCost(const Record&) {
  return sizeof(Record) + kIndexBytes;
}
uint64_t MemoryCost(const RunInfo& run) {
  return sizeof(run) + run.command.size() * sizeof(std::string);
}
uint64_t MemoryCost(const ProcessInfo& process) {
  // Twice, for the ProcessEnd that comes to stand beside it.
  return 2 * sizeof(process) + process.argv.size() * sizeof(std::string);
}
uint64_t MemoryCost(const ThreadInfo& thread) { return sizeof(thread) + sizeof(ThreadEnd); }
uint64_t MemoryCost(const TaskInfo& task) { return sizeof(task) + 2 * sizeof(TaskEnd); }
uint64_t MemoryCost(const SymbolInfo& symbol) {
  return sizeof(symbol) + kIndexBytes + symbol.lines.size() * sizeof(SymbolLine);
}
uint64_t MemoryCost(const MemoryPeak& peak) {
  return sizeof(peak) + kIndexBytes + peak.parts.size() * sizeof(LiveMemory);
}
uint64_t MemoryCost(const MemorySurvivors& survivors) {
  return sizeof(survivors) + kIndexBytes + survivors.parts.size() * sizeof(LiveMemory);
}
uint64_t MemoryCost(const CounterInfo& counter) { return 2 * sizeof(counter) + kIndexBytes; }

bool HasKnownActivity(const Sample& sample) {
  return static_cast<size_t>(sample.activity) < kActivityCount;
}

}  // namespace

bool BlockDecoder::Charge(uint64_t bytes) {
  if (bytes > memory_left_) {
    memory_left_ = 0;
    return false;
  }
  memory_left_ -= bytes;
  return true;
}

void BlockDecoder::CountInvalid(uint64_t records, size_t raw_bytes) {
  // A count that was read from nonsense must not drown the true ones.
  records_invalid_ += std::clamp<uint64_t>(raw_bytes, 1, std::max<uint64_t>(records, 1));
}

template <class Id, class DecodeOne>
bool BlockDecoder::DecodeTable(std::span<const uint8_t> raw, uint32_t& next_id,
                               DecodeOne decode_one) {
  ByteReader in(raw);
  const uint32_t first = in.U32();
  const uint64_t count = in.Varint();
  const uint64_t ids_left = std::numeric_limits<uint32_t>::max() - first;
  if (!in.ok() || first < next_id || count > ids_left) {
    CountInvalid(count, in.remaining());
    return true;
  }
  uint64_t done = 0;
  for (; done < count; ++done) {
    const Id id(first + static_cast<uint32_t>(done));
    bool within_limits = true;
    if (!decode_one(in, id, within_limits)) break;
    if (!within_limits) return false;
    next_id = id.value + 1;
  }
  if (done < count || !in.AtEnd()) CountInvalid(count - done, raw.size());
  return true;
}

template <class Id, class Record>
bool BlockDecoder::DecodeRecords(std::span<const uint8_t> raw, uint32_t& next_id,
                                 bool (RecordVisitor::*visit)(Id, Record)) {
  return DecodeTable<Id>(raw, next_id, [&](ByteReader& in, Id id, bool& within_limits) {
    Record record;
    format::Decode(in, record);
    if (!in.ok()) return false;
    within_limits = Charge(MemoryCost(record));
    if (within_limits && !(visitor_.*visit)(id, std::move(record))) ++records_invalid_;
    return true;
  });
}

bool BlockDecoder::DecodeStrings(std::span<const uint8_t> raw) {
  return DecodeTable<StringId>(raw, next_.string,
                               [&](ByteReader& in, StringId id, bool& within_limits) {
                                 const std::string_view text = in.Text();
                                 if (!in.ok()) return false;
                                 within_limits = Charge(sizeof(std::string) + kIndexBytes);
                                 if (within_limits && !visitor_.OnString(id, text))
                                   ++records_invalid_;
                                 return true;
                               });
}

bool BlockDecoder::DecodeStacks(std::span<const uint8_t> raw) {
  return DecodeTable<StackId>(raw, next_.stack,
                              [&](ByteReader& in, StackId id, bool& within_limits) {
                                StackInfo stack;
                                format::Decode(in, id, stack);
                                if (!in.ok()) return false;
                                within_limits = Charge(MemoryCost(stack));
                                if (within_limits && !visitor_.OnStack(id, stack)) {
                                  ++records_invalid_;
                                }
                                return true;
                              });
}

template <class Record>
bool BlockDecoder::DecodeList(std::span<const uint8_t> raw, bool (RecordVisitor::*visit)(Record)) {
  ByteReader in(raw);
  const uint64_t count = in.Varint();
  uint64_t done = 0;
  for (; done < count; ++done) {
    Record record;
    format::Decode(in, record);
    if (!in.ok()) break;
    if (!Charge(MemoryCost(record))) return false;
    if (!(visitor_.*visit)(std::move(record))) ++records_invalid_;
  }
  if (done < count || !in.ok() || !in.AtEnd()) CountInvalid(count - done, raw.size());
  return true;
}

template <class Record>
bool BlockDecoder::DecodeSingle(std::span<const uint8_t> raw,
                                bool (RecordVisitor::*visit)(Record)) {
  ByteReader in(raw);
  Record record;
  format::Decode(in, record);
  if (!in.ok() || !in.AtEnd()) {
    ++records_invalid_;
    return true;
  }
  if (!Charge(MemoryCost(record))) return false;
  if (!(visitor_.*visit)(std::move(record))) ++records_invalid_;
  return true;
}

bool BlockDecoder::Deliver(const Sample& sample) {
  if (!Charge(sizeof(Sample))) return false;
  if (!HasKnownActivity(sample) || !visitor_.OnSample(sample)) ++records_invalid_;
  return true;
}

bool BlockDecoder::Deliver(const SampleBatch& batch, size_t raw_bytes) {
  if (!Charge(raw_bytes)) return false;
  const std::span<const Sample> samples(batch.samples);
  if (samples.size_bytes() <= memory_left_ && std::ranges::all_of(samples, HasKnownActivity)) {
    memory_left_ -= samples.size_bytes();
    records_invalid_ += visitor_.OnSamples(samples);
  } else {
    for (const Sample& sample : samples)
      if (!Deliver(sample)) return false;
  }
  if (!batch.sound) CountInvalid(batch.missing, raw_bytes);
  return true;
}

bool BlockDecoder::DecodeSamples(std::span<const uint8_t> raw, SampleKind kind) {
  ByteReader in(raw);
  SampleDecoder decoder(in, kind);
  Sample sample;
  while (decoder.remaining() > 0 && decoder.Next(sample))
    if (!Deliver(sample)) return false;
  if (decoder.remaining() > 0 || !decoder.ok() || !decoder.AtEnd() || !in.AtEnd()) {
    CountInvalid(decoder.remaining(), raw.size());
  }
  return true;
}

bool BlockDecoder::DecodeMemoryChanges(std::span<const uint8_t> raw) {
  ByteReader in(raw);
  MemoryChangeDecoder decoder(in);
  MemoryChange change;
  while (decoder.remaining() > 0 && decoder.Next(change)) {
    if (!Charge(MemoryCost(change))) return false;
    const bool known = static_cast<size_t>(change.kind) < kMemoryKindCount;
    if (!known || !visitor_.OnMemoryChange(change)) ++records_invalid_;
  }
  if (decoder.remaining() > 0 || !decoder.ok() || !decoder.AtEnd() || !in.AtEnd()) {
    CountInvalid(decoder.remaining(), raw.size());
  }
  return true;
}

bool BlockDecoder::Decode(BlockType type, std::span<const uint8_t> raw) {
  if (!Charge(raw.size())) return false;
  switch (type) {
    case BlockType::kRun:
      return DecodeSingle(raw, &RecordVisitor::OnRun);
    case BlockType::kStrings:
      return DecodeStrings(raw);
    case BlockType::kProcesses:
      return DecodeRecords(raw, next_.process, &RecordVisitor::OnProcess);
    case BlockType::kThreads:
      return DecodeRecords(raw, next_.thread, &RecordVisitor::OnThread);
    case BlockType::kCodes:
      return DecodeRecords(raw, next_.code, &RecordVisitor::OnCode);
    case BlockType::kModules:
      return DecodeRecords(raw, next_.module, &RecordVisitor::OnModule);
    case BlockType::kFrames:
      return DecodeRecords(raw, next_.frame, &RecordVisitor::OnFrame);
    case BlockType::kStacks:
      return DecodeStacks(raw);
    case BlockType::kSamples:
      return DecodeSamples(raw, SampleKind::kPlain);
    case BlockType::kSymbols:
      return DecodeList(raw, &RecordVisitor::OnSymbol);
    case BlockType::kSources:
      return DecodeList(raw, &RecordVisitor::OnSource);
    case BlockType::kCounters:
      return DecodeList(raw, &RecordVisitor::OnCounter);
    case BlockType::kThreadEnds:
      return DecodeList(raw, &RecordVisitor::OnThreadEnd);
    case BlockType::kProcessEnds:
      return DecodeList(raw, &RecordVisitor::OnProcessEnd);
    case BlockType::kRunEnd:
      orderly_end_ = true;
      return DecodeSingle(raw, &RecordVisitor::OnRunEnd);
    case BlockType::kGilWaits:
      return DecodeList(raw, &RecordVisitor::OnGilWait);
    case BlockType::kRegions:
      return DecodeList(raw, &RecordVisitor::OnRegion);
    case BlockType::kProfiledFunctions:
      return DecodeList(raw, &RecordVisitor::OnProfiledFunction);
    case BlockType::kTasks:
      return DecodeRecords(raw, next_.task, &RecordVisitor::OnTask);
    case BlockType::kTaskEnds:
      return DecodeList(raw, &RecordVisitor::OnTaskEnd);
    case BlockType::kAwaits:
      return DecodeList(raw, &RecordVisitor::OnAwait);
    case BlockType::kTaskSamples:
      return DecodeSamples(raw, SampleKind::kInTasks);
    case BlockType::kLoopBlocks:
      return DecodeList(raw, &RecordVisitor::OnLoopBlock);
    case BlockType::kMemoryChanges:
      return DecodeMemoryChanges(raw);
    case BlockType::kMemoryPeaks:
      return DecodeList(raw, &RecordVisitor::OnMemoryPeak);
    case BlockType::kMemorySurvivors:
      return DecodeList(raw, &RecordVisitor::OnMemorySurvivors);
    case BlockType::kMemoryLevels:
      return DecodeList(raw, &RecordVisitor::OnMemoryLevel);
    case BlockType::kTaskOrigins:
      return DecodeList(raw, &RecordVisitor::OnTaskOrigin);
    case BlockType::kMetrics:
      return DecodeRecords(raw, next_.metric, &RecordVisitor::OnMetric);
    case BlockType::kMetricAmounts:
      return DecodeList(raw, &RecordVisitor::OnMetricAmount);
  }
  return true;
}

}  // namespace pyrometer::format
