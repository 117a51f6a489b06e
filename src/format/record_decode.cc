// SPDX-License-Identifier: Apache-2.0
#include "format/record_codec.h"

namespace pyrometer::format {
namespace {

// Reads a count of items of which each takes at least `item_bytes`: a count
// that the rest cannot hold must not make anyone allocate.
uint64_t GetCount(ByteReader& in, size_t item_bytes) {
  const uint64_t count = in.Varint();
  if (count <= in.remaining() / item_bytes) return count;
  in.Fail();
  return 0;
}

void GetTexts(ByteReader& in, std::vector<std::string>& texts) {
  const uint64_t count = GetCount(in, 1);
  for (uint64_t i = 0; i < count && in.ok(); ++i) texts.emplace_back(in.Text());
}

template <class Enum>
Enum GetEnum(ByteReader& in, Enum last) {
  const uint8_t v = in.Byte();
  if (v > static_cast<uint8_t>(last)) in.Fail();
  return static_cast<Enum>(v);
}

TaskName GetName(ByteReader& in) {
  TaskName name;
  name.text = StringId(in.U32());
  name.number = in.Varint();
  return name;
}

// The least bytes that a part of live memory takes.
constexpr size_t kLiveBytes = 7;

LiveMemory GetLive(ByteReader& in) {
  LiveMemory live;
  live.thread = ThreadId(in.U32());
  live.stack = StackId(in.U32());
  live.kind = GetEnum(in, MemoryKind::kMapped);
  live.amount.bytes = in.Varint();
  live.amount.blocks = in.Varint();
  live.amount.samples = in.Varint();
  live.amount.variance_kib2 = in.Varint();
  return live;
}

}  // namespace

void Decode(ByteReader& in, RunInfo& run) {
  run.pyrometer_version = in.Text();
  GetTexts(in, run.command);
  run.working_directory = in.Text();
  run.operating_system = in.Text();
  run.start_unix_ns = in.Varint();
  run.options = in.Text();
}

void Decode(ByteReader& in, ProcessInfo& process) {
  process.pid = in.Varint();
  process.parent_pid = in.Varint();
  process.start_ns = in.Varint();
  GetTexts(in, process.argv);
  process.executable = in.Text();
  process.interpreter = in.Text();
  process.clock = in.Text();
  process.sample_period_ns = in.Varint();
}

void Decode(ByteReader& in, ThreadInfo& thread) {
  thread.process = ProcessId(in.U32());
  thread.tid = in.Varint();
  thread.start_ns = in.Varint();
  thread.name = in.Text();
}

void Decode(ByteReader& in, CodeInfo& code) {
  code.filename = StringId(in.U32());
  code.qualname = StringId(in.U32());
  code.first_line = in.U32();
}

void Decode(ByteReader& in, ModuleInfo& module) {
  module.path = StringId(in.U32());
  module.build_id = in.Text();
}

void Decode(ByteReader& in, FrameInfo& frame) {
  frame.kind = GetEnum(in, FrameKind::kSpecial);
  if (!in.ok()) return;
  switch (frame.kind) {
    case FrameKind::kPython:
      frame.code = CodeId(in.U32());
      frame.line = in.U32();
      break;
    case FrameKind::kNative:
      frame.module = ModuleId(in.U32());
      frame.address = in.Varint();
      break;
    case FrameKind::kSpecial:
      frame.name = StringId(in.U32());
      break;
  }
}

void Decode(ByteReader& in, StackId id, StackInfo& stack) {
  const uint32_t distance = in.U32();
  if (distance == 0 || distance > id.value) in.Fail();
  stack.parent = StackId(id.value - distance);
  stack.frame = FrameId(in.U32());
}

void Decode(ByteReader& in, SymbolInfo& symbol) {
  symbol.frame = FrameId(in.U32());
  const uint64_t count = GetCount(in, 3);
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    SymbolLine& line = symbol.lines.emplace_back();
    line.function = StringId(in.U32());
    line.file = StringId(in.U32());
    line.line = in.U32();
  }
}

void Decode(ByteReader& in, SourceInfo& source) {
  source.path = StringId(in.U32());
  source.text = in.Text();
}

void Decode(ByteReader& in, CounterInfo& counter) {
  counter.process = ProcessId(in.U32());
  counter.kind = GetEnum(in, CounterKind::kFact);
  counter.name = in.Text();
  counter.value = in.Varint();
}

void Decode(ByteReader& in, ThreadEnd& end) {
  end.thread = ThreadId(in.U32());
  end.end_ns = in.Varint();
  end.cpu_ns = in.Varint();
  end.name = in.Text();
}

void Decode(ByteReader& in, ProcessEnd& end) {
  end.process = ProcessId(in.U32());
  end.end_ns = in.Varint();
  end.exit_code = in.I32();
  end.exit_signal = in.I32();
  end.user_cpu_ns = in.Varint();
  end.system_cpu_ns = in.Varint();
  end.peak_rss_bytes = in.Varint();
}

void Decode(ByteReader& in, RunEnd& end) { end.end_ns = in.Varint(); }

void Decode(ByteReader& in, GilWait& wait) {
  wait.waiter = ThreadId(in.U32());
  const uint8_t has_holder = in.Byte();
  if (has_holder > 1) in.Fail();
  if (has_holder == 1) wait.holder = ThreadId(in.U32());
  wait.wait_ns = in.Varint();
  wait.count = in.U32();
}

void Decode(ByteReader& in, RegionInfo& region) {
  region.thread = ThreadId(in.U32());
  region.name = StringId(in.U32());
  region.begin_ns = in.Varint();
  region.length_ns = in.Varint();
  region.cpu_ns = in.Varint();
}

void Decode(ByteReader& in, ProfiledFunction& function) {
  function.code = CodeId(in.U32());
  const uint8_t inner = in.Byte();
  if (inner > 1) in.Fail();
  function.inner = inner == 1;
}

void Decode(ByteReader& in, TaskInfo& task) {
  task.process = ProcessId(in.U32());
  task.coroutine = CodeId(in.U32());
  task.start_ns = in.Varint();
  task.name = GetName(in);
}

void Decode(ByteReader& in, TaskEnd& end) {
  end.task = TaskId(in.U32());
  end.end_ns = in.Varint();
  end.name = GetName(in);
}

void Decode(ByteReader& in, TaskOrigin& origin) {
  origin.task = TaskId(in.U32());
  origin.stack = StackId(in.U32());
}

void Decode(ByteReader& in, Await& await) {
  await.task = TaskId(in.U32());
  await.stack = StackId(in.U32());
  await.state = GetEnum(in, AwaitState::kReady);
  await.time_ns = in.Varint();
  await.wait_ns = in.Varint();
  await.count = in.U32();
}

void Decode(ByteReader& in, LoopBlock& block) {
  block.thread = ThreadId(in.U32());
  block.stack = StackId(in.U32());
  block.begin_ns = in.Varint();
  block.length_ns = in.Varint();
  block.count = in.U32();
}

void Decode(ByteReader& in, MemoryPeak& peak) {
  peak.process = ProcessId(in.U32());
  peak.time_ns = in.Varint();
  const uint64_t count = GetCount(in, kLiveBytes);
  for (uint64_t i = 0; i < count && in.ok(); ++i) peak.parts.push_back(GetLive(in));
}

void Decode(ByteReader& in, MemorySurvivors& survivors) {
  survivors.process = ProcessId(in.U32());
  survivors.time_ns = in.Varint();
  const uint64_t count = GetCount(in, kLiveBytes + 1);
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    LiveMemory part = GetLive(in);
    part.type = StringId(in.U32());
    survivors.parts.push_back(part);
  }
}

void Decode(ByteReader& in, MemoryLevel& level) {
  level.process = ProcessId(in.U32());
  level.time_ns = in.Varint();
  level.rss_bytes = in.Varint();
  level.pss_bytes = in.Varint();
  level.python_bytes = in.Varint();
  level.native_bytes = in.Varint();
  level.mapped_bytes = in.Varint();
  level.arena_bytes = in.Varint();
  level.small_bytes = in.Varint();
}

void Decode(ByteReader& in, MetricInfo& metric) {
  metric.name = StringId(in.U32());
  metric.unit = StringId(in.U32());
  metric.title = StringId(in.U32());
}

void Decode(ByteReader& in, MetricAmount& amount) {
  amount.metric = MetricId(in.U32());
  amount.thread = ThreadId(in.U32());
  amount.stack = StackId(in.U32());
  const uint8_t has_time = in.Byte();
  if (has_time > 1) in.Fail();
  if (has_time == 1) amount.time_ns = in.Varint();
  amount.value = in.Varint();
  amount.count = in.Varint();
}

}  // namespace pyrometer::format
