// SPDX-License-Identifier: Apache-2.0
#include "format/sample_codec.h"

#include <algorithm>
#include <vector>

namespace pyrometer::format {
namespace {

enum Column : size_t { kTime, kThread, kStack, kActivity, kWeight, kCount, kTask, kColumns };

size_t ColumnsOf(SampleKind kind) { return kind == SampleKind::kInTasks ? kColumns : kTask; }

constexpr uint64_t kMaxTasks = uint64_t{1} << 32;

// Differences are taken modulo 2^64, so that any two values have one.
int64_t Difference(uint64_t a, uint64_t b) { return static_cast<int64_t>(a - b); }
uint64_t Sum(uint64_t a, int64_t b) { return a + static_cast<uint64_t>(b); }

// The median, not the mean: one long pause must not spoil all predictions.
uint64_t TypicalPeriod(std::span<const Sample> samples) {
  std::unordered_map<uint32_t, uint64_t> last;
  std::vector<uint64_t> periods;
  for (const Sample& s : samples) {
    const auto [it, is_first] = last.try_emplace(s.thread.value, s.time_ns);
    if (!is_first) periods.push_back(s.time_ns - it->second);
    it->second = s.time_ns;
  }
  if (periods.empty()) return 0;
  const auto middle = periods.begin() + static_cast<ptrdiff_t>(periods.size() / 2);
  std::nth_element(periods.begin(), middle, periods.end());
  return *middle;
}

}  // namespace

SampleKind KindOf(std::span<const Sample> samples) {
  const bool in_tasks =
      std::ranges::any_of(samples, [](const Sample& s) { return s.task.has_value(); });
  return in_tasks ? SampleKind::kInTasks : SampleKind::kPlain;
}

void EncodeSamples(std::span<const Sample> samples, ByteWriter& out) {
  const uint64_t period_ns = TypicalPeriod(samples);
  const uint64_t base_ns = samples.empty() ? 0 : samples.front().time_ns - period_ns;
  struct Last {
    uint64_t time_ns;
    uint32_t stack;
    uint64_t task;
  };
  std::unordered_map<uint32_t, Last> last_of;
  std::array<ByteWriter, kColumns> columns;
  uint32_t thread = 0;
  for (const Sample& s : samples) {
    Last& last = last_of.try_emplace(s.thread.value, Last{base_ns, 0, 0}).first->second;
    const uint64_t elapsed_ns = s.time_ns - last.time_ns;
    columns[kTime].Signed(Difference(elapsed_ns, period_ns));
    columns[kThread].Signed(Difference(s.thread.value, thread));
    columns[kStack].Signed(Difference(s.stack.value, last.stack));
    columns[kActivity].Byte(static_cast<uint8_t>(s.activity));
    columns[kWeight].Signed(Difference(s.weight_ns, elapsed_ns));
    columns[kCount].Varint(s.count);
    const uint64_t task = s.task ? uint64_t{s.task->value} + 1 : 0;
    columns[kTask].Signed(Difference(task, last.task));
    last = {s.time_ns, s.stack.value, task};
    thread = s.thread.value;
  }
  out.Varint(samples.size());
  out.Varint(base_ns);
  out.Varint(period_ns);
  const auto written = std::span(columns).first(ColumnsOf(KindOf(samples)));
  for (const ByteWriter& column : written) out.Varint(column.size());
  for (const ByteWriter& column : written) out.Bytes(column.bytes());
}

SampleDecoder::SampleDecoder(ByteReader& in, SampleKind kind)
    : remaining_(in.Varint()),
      base_ns_(in.Varint()),
      period_ns_(in.Varint()),
      kind_(kind),
      columns_{ByteReader({}), ByteReader({}), ByteReader({}), ByteReader({}),
               ByteReader({}), ByteReader({}), ByteReader({})} {
  std::array<uint64_t, kColumns> lengths{};
  const size_t count = ColumnsOf(kind);
  for (size_t i = 0; i < count; ++i) lengths[i] = in.Varint();
  for (size_t i = 0; i < count; ++i) columns_[i] = ByteReader(in.Bytes(lengths[i]));
  header_ok_ = in.ok();
}

bool SampleDecoder::ok() const {
  return header_ok_ && std::ranges::all_of(columns_, [](const ByteReader& c) { return c.ok(); });
}

bool SampleDecoder::AtEnd() const {
  return std::ranges::all_of(columns_, [](const ByteReader& c) { return c.AtEnd(); });
}

SampleDecoder::Last& SampleDecoder::NewLastOf(uint32_t thread) {
  constexpr uint32_t kLow = 1024;
  const Last first{base_ns_, 0, 0};
  if (thread >= kLow) return high_.try_emplace(thread, first).first->second;
  low_.resize(thread + 1, first);
  return low_[thread];
}

bool SampleDecoder::Step(Sample& sample) {
  const uint64_t thread = Sum(thread_, columns_[kThread].Signed());
  if (thread != static_cast<uint32_t>(thread)) return false;
  Last& last = LastOf(static_cast<uint32_t>(thread));
  const uint64_t elapsed_ns = Sum(period_ns_, columns_[kTime].Signed());
  const uint64_t stack = Sum(last.stack, columns_[kStack].Signed());
  sample.time_ns = last.time_ns + elapsed_ns;
  sample.thread = ThreadId(static_cast<uint32_t>(thread));
  sample.stack = StackId(static_cast<uint32_t>(stack));
  sample.activity = static_cast<Activity>(columns_[kActivity].Byte());
  sample.weight_ns = Sum(elapsed_ns, columns_[kWeight].Signed());
  sample.count = columns_[kCount].U32();
  const uint64_t task =
      kind_ == SampleKind::kInTasks ? Sum(last.task, columns_[kTask].Signed()) : 0;
  sample.task.reset();
  if (task != 0) sample.task = TaskId(static_cast<uint32_t>(task - 1));
  if (stack != static_cast<uint32_t>(stack) || task > kMaxTasks) return false;
  last = {sample.time_ns, sample.stack.value, task};
  thread_ = sample.thread.value;
  return true;
}

bool SampleDecoder::TakeAll(std::vector<Sample>& out) {
  // An activity is one byte: no more samples than that are believed.
  if (!header_ok_ || remaining_ != columns_[kActivity].remaining()) return false;
  out.resize(remaining_);
  for (Sample& sample : out)
    if (!Step(sample)) return false;
  return ok() && AtEnd();
}

std::optional<SampleKind> SampleKindOf(BlockType type) {
  if (type == BlockType::kSamples) return SampleKind::kPlain;
  if (type == BlockType::kTaskSamples) return SampleKind::kInTasks;
  return std::nullopt;
}

void DecodeBatch(std::span<const uint8_t> raw, SampleKind kind, SampleBatch& out) {
  ByteReader all(raw);
  if (SampleDecoder(all, kind).TakeAll(out.samples) && all.AtEnd()) {
    out.missing = 0;
    out.sound = true;
    return;
  }
  ByteReader in(raw);
  SampleDecoder decoder(in, kind);
  out.samples.clear();
  Sample sample;
  while (decoder.remaining() > 0 && decoder.Next(sample)) out.samples.push_back(sample);
  out.missing = decoder.remaining();
  out.sound = out.missing == 0 && decoder.ok() && decoder.AtEnd() && in.AtEnd();
}

}  // namespace pyrometer::format
