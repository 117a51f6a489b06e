// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/layout.h"
#include "format/record_codec.h"

namespace pyrometer::format {
namespace {

// A million empty texts are not nothing.
constexpr size_t kMaxTextLengthBytes = 3;

void PutText(std::string_view text, ByteWriter& out) { out.Text(text.substr(0, kMaxTextBytes)); }

void PutTexts(const std::vector<std::string>& texts, ByteWriter& out) {
  size_t count = 0;
  for (size_t bytes = 0; count < texts.size(); ++count) {
    bytes += kMaxTextLengthBytes + std::min(texts[count].size(), kMaxTextBytes);
    if (bytes > kMaxListBytes) break;
  }
  out.Varint(count);
  for (size_t i = 0; i < count; ++i) PutText(texts[i], out);
}

void PutName(const TaskName& name, ByteWriter& out) {
  out.Varint(name.text.value);
  out.Varint(name.number);
}

void PutLive(const LiveMemory& live, ByteWriter& out) {
  out.Varint(live.thread.value);
  out.Varint(live.stack.value);
  out.Byte(static_cast<uint8_t>(live.kind));
  out.Varint(live.amount.bytes);
  out.Varint(live.amount.blocks);
  out.Varint(live.amount.samples);
  out.Varint(live.amount.variance_kib2);
}

}  // namespace

void Encode(const RunInfo& run, ByteWriter& out) {
  PutText(run.pyrometer_version, out);
  PutTexts(run.command, out);
  PutText(run.working_directory, out);
  PutText(run.operating_system, out);
  out.Varint(run.start_unix_ns);
  PutText(run.options, out);
}

void Encode(const ProcessInfo& process, ByteWriter& out) {
  out.Varint(process.pid);
  out.Varint(process.parent_pid);
  out.Varint(process.start_ns);
  PutTexts(process.argv, out);
  PutText(process.executable, out);
  PutText(process.interpreter, out);
  PutText(process.clock, out);
  out.Varint(process.sample_period_ns);
}

void Encode(const ThreadInfo& thread, ByteWriter& out) {
  out.Varint(thread.process.value);
  out.Varint(thread.tid);
  out.Varint(thread.start_ns);
  PutText(thread.name, out);
}

void Encode(const CodeInfo& code, ByteWriter& out) {
  out.Varint(code.filename.value);
  out.Varint(code.qualname.value);
  out.Varint(code.first_line);
}

void Encode(const ModuleInfo& module, ByteWriter& out) {
  out.Varint(module.path.value);
  PutText(module.build_id, out);
}

void Encode(const FrameInfo& frame, ByteWriter& out) {
  out.Byte(static_cast<uint8_t>(frame.kind));
  switch (frame.kind) {
    case FrameKind::kPython:
      out.Varint(frame.code.value);
      out.Varint(frame.line);
      break;
    case FrameKind::kNative:
      out.Varint(frame.module.value);
      out.Varint(frame.address);
      break;
    case FrameKind::kSpecial:
      out.Varint(frame.name.value);
      break;
  }
}

void Encode(const StackInfo& stack, StackId id, ByteWriter& out) {
  out.Varint(id.value - stack.parent.value);
  out.Varint(stack.frame.value);
}

void Encode(const SymbolInfo& symbol, ByteWriter& out) {
  const size_t count = std::min(symbol.lines.size(), kMaxSymbolLines);
  out.Varint(symbol.frame.value);
  out.Varint(count);
  for (size_t i = 0; i < count; ++i) {
    out.Varint(symbol.lines[i].function.value);
    out.Varint(symbol.lines[i].file.value);
    out.Varint(symbol.lines[i].line);
  }
}

void Encode(const SourceInfo& source, ByteWriter& out) {
  out.Varint(source.path.value);
  out.Text(source.text);
}

void Encode(const CounterInfo& counter, ByteWriter& out) {
  out.Varint(counter.process.value);
  out.Byte(static_cast<uint8_t>(counter.kind));
  PutText(counter.name, out);
  out.Varint(counter.value);
}

void Encode(const ThreadEnd& end, ByteWriter& out) {
  out.Varint(end.thread.value);
  out.Varint(end.end_ns);
  out.Varint(end.cpu_ns);
  PutText(end.name, out);
}

void Encode(const ProcessEnd& end, ByteWriter& out) {
  out.Varint(end.process.value);
  out.Varint(end.end_ns);
  out.Signed(end.exit_code);
  out.Signed(end.exit_signal);
  out.Varint(end.user_cpu_ns);
  out.Varint(end.system_cpu_ns);
  out.Varint(end.peak_rss_bytes);
}

void Encode(const RunEnd& end, ByteWriter& out) { out.Varint(end.end_ns); }

void Encode(const GilWait& wait, ByteWriter& out) {
  out.Varint(wait.waiter.value);
  out.Byte(wait.holder ? 1 : 0);
  if (wait.holder) out.Varint(wait.holder->value);
  out.Varint(wait.wait_ns);
  out.Varint(wait.count);
}

void Encode(const RegionInfo& region, ByteWriter& out) {
  out.Varint(region.thread.value);
  out.Varint(region.name.value);
  out.Varint(region.begin_ns);
  out.Varint(region.length_ns);
  out.Varint(region.cpu_ns);
}

void Encode(const ProfiledFunction& function, ByteWriter& out) {
  out.Varint(function.code.value);
  out.Byte(function.inner ? 1 : 0);
}

void Encode(const TaskInfo& task, ByteWriter& out) {
  out.Varint(task.process.value);
  out.Varint(task.coroutine.value);
  out.Varint(task.start_ns);
  PutName(task.name, out);
}

void Encode(const TaskEnd& end, ByteWriter& out) {
  out.Varint(end.task.value);
  out.Varint(end.end_ns);
  PutName(end.name, out);
}

void Encode(const TaskOrigin& origin, ByteWriter& out) {
  out.Varint(origin.task.value);
  out.Varint(origin.stack.value);
}

void Encode(const Await& await, ByteWriter& out) {
  out.Varint(await.task.value);
  out.Varint(await.stack.value);
  out.Byte(static_cast<uint8_t>(await.state));
  out.Varint(await.time_ns);
  out.Varint(await.wait_ns);
  out.Varint(await.count);
}

void Encode(const LoopBlock& block, ByteWriter& out) {
  out.Varint(block.thread.value);
  out.Varint(block.stack.value);
  out.Varint(block.begin_ns);
  out.Varint(block.length_ns);
  out.Varint(block.count);
}

void Encode(const MemoryPeak& peak, ByteWriter& out) {
  out.Varint(peak.process.value);
  out.Varint(peak.time_ns);
  out.Varint(peak.parts.size());
  for (const LiveMemory& part : peak.parts) PutLive(part, out);
}

void Encode(const MemorySurvivors& survivors, ByteWriter& out) {
  out.Varint(survivors.process.value);
  out.Varint(survivors.time_ns);
  out.Varint(survivors.parts.size());
  for (const LiveMemory& part : survivors.parts) {
    PutLive(part, out);
    out.Varint(part.type.value);
  }
}

void Encode(const MemoryLevel& level, ByteWriter& out) {
  out.Varint(level.process.value);
  out.Varint(level.time_ns);
  out.Varint(level.rss_bytes);
  out.Varint(level.pss_bytes);
  out.Varint(level.python_bytes);
  out.Varint(level.native_bytes);
  out.Varint(level.mapped_bytes);
  out.Varint(level.arena_bytes);
  out.Varint(level.small_bytes);
}

void Encode(const MetricInfo& metric, ByteWriter& out) {
  out.Varint(metric.name.value);
  out.Varint(metric.unit.value);
  out.Varint(metric.title.value);
}

void Encode(const MetricAmount& amount, ByteWriter& out) {
  out.Varint(amount.metric.value);
  out.Varint(amount.thread.value);
  out.Varint(amount.stack.value);
  out.Byte(amount.time_ns ? 1 : 0);
  if (amount.time_ns) out.Varint(*amount.time_ns);
  out.Varint(amount.value);
  out.Varint(amount.count);
}

}  // namespace pyrometer::format
