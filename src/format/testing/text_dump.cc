// SPDX-License-Identifier: Apache-2.0
#include "format/testing/text_dump.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pyrometer::format::testing {
namespace {

// Quotes a text and makes its control characters visible.
std::string Quote(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7f && c != '\'' && c != '\\';
    if (plain) {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", byte);
    }
  }
  return quoted + "'";
}

std::string Quote(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(Quote(text));
  return fmt::format("[{}]", fmt::join(quoted, " "));
}

int Number(auto enumerator) { return static_cast<int>(enumerator); }

std::string AmountText(const MemoryAmount& amount) {
  return fmt::format("{}/{}/{}/{}", amount.bytes, amount.blocks, amount.samples,
                     amount.variance_kib2);
}

std::string PartsText(const std::vector<LiveMemory>& parts) {
  std::vector<std::string> texts;
  for (const LiveMemory& part : parts)
    texts.push_back(fmt::format("{}:{}:{}:{}={}", part.thread.value, part.stack.value,
                                Number(part.kind), part.type.value, AmountText(part.amount)));
  return fmt::format("[{}]", fmt::join(texts, " "));
}

}  // namespace

std::vector<std::string> TextDump::LinesOf(std::string_view kind) const {
  std::vector<std::string> found;
  for (const std::string& line : lines_) {
    if (line.substr(0, line.find(' ')) == kind) found.push_back(line);
  }
  return found;
}

std::string TextDump::text() const { return fmt::format("{}\n", fmt::join(lines_, "\n")); }

bool TextDump::OnRun(RunInfo run) {
  lines_.push_back(
      fmt::format("run version={} command={} directory={} system={} start={} options={}",
                  Quote(run.pyrometer_version), Quote(run.command), Quote(run.working_directory),
                  Quote(run.operating_system), run.start_unix_ns, Quote(run.options)));
  return true;
}

bool TextDump::OnString(StringId id, std::string_view text) {
  lines_.push_back(fmt::format("string {} {}", id.value, Quote(text)));
  return true;
}

bool TextDump::OnProcess(ProcessId id, ProcessInfo process) {
  lines_.push_back(
      fmt::format("process {} pid={} parent={} start={} argv={} executable={} interpreter={} "
                  "clock={} period={}",
                  id.value, process.pid, process.parent_pid, process.start_ns, Quote(process.argv),
                  Quote(process.executable), Quote(process.interpreter), Quote(process.clock),
                  process.sample_period_ns));
  return true;
}

bool TextDump::OnThread(ThreadId id, ThreadInfo thread) {
  lines_.push_back(fmt::format("thread {} process={} tid={} start={} name={}", id.value,
                               thread.process.value, thread.tid, thread.start_ns,
                               Quote(thread.name)));
  return true;
}

bool TextDump::OnCode(CodeId id, CodeInfo code) {
  lines_.push_back(fmt::format("code {} file={} name={} line={}", id.value, code.filename.value,
                               code.qualname.value, code.first_line));
  return true;
}

bool TextDump::OnModule(ModuleId id, ModuleInfo module) {
  lines_.push_back(fmt::format("module {} path={} build_id={}", id.value, module.path.value,
                               Quote(module.build_id)));
  return true;
}

bool TextDump::OnFrame(FrameId id, FrameInfo frame) {
  switch (frame.kind) {
    case FrameKind::kPython:
      lines_.push_back(
          fmt::format("frame {} python code={} line={}", id.value, frame.code.value, frame.line));
      return true;
    case FrameKind::kNative:
      lines_.push_back(fmt::format("frame {} native module={} address={:#x}", id.value,
                                   frame.module.value, frame.address));
      return true;
    case FrameKind::kSpecial:
      lines_.push_back(fmt::format("frame {} special name={}", id.value, frame.name.value));
      return true;
  }
  return false;
}

bool TextDump::OnStack(StackId id, StackInfo stack) {
  lines_.push_back(
      fmt::format("stack {} parent={} frame={}", id.value, stack.parent.value, stack.frame.value));
  return true;
}

bool TextDump::OnSample(const Sample& sample) {
  lines_.push_back(fmt::format("sample time={} thread={} stack={} activity={} weight={} count={}{}",
                               sample.time_ns, sample.thread.value, sample.stack.value,
                               Number(sample.activity), sample.weight_ns, sample.count,
                               sample.task ? fmt::format(" task={}", sample.task->value) : ""));
  return true;
}

bool TextDump::OnSymbol(SymbolInfo symbol) {
  std::vector<std::string> functions;
  for (const SymbolLine& line : symbol.lines) {
    functions.push_back(fmt::format("{}@{}:{}", line.function.value, line.file.value, line.line));
  }
  lines_.push_back(
      fmt::format("symbol frame={} lines=[{}]", symbol.frame.value, fmt::join(functions, " ")));
  return true;
}

bool TextDump::OnSource(SourceInfo source) {
  lines_.push_back(fmt::format("source path={} {}", source.path.value, Quote(source.text)));
  return true;
}

bool TextDump::OnCounter(CounterInfo counter) {
  lines_.push_back(fmt::format("counter process={} kind={} {} {}", counter.process.value,
                               Number(counter.kind), Quote(counter.name), counter.value));
  return true;
}

bool TextDump::OnThreadEnd(ThreadEnd end) {
  lines_.push_back(fmt::format("thread_end thread={} end={} cpu={} name={}", end.thread.value,
                               end.end_ns, end.cpu_ns, Quote(end.name)));
  return true;
}

bool TextDump::OnProcessEnd(ProcessEnd end) {
  lines_.push_back(
      fmt::format("process_end process={} end={} exit={} signal={} user={} system={} peak_rss={}",
                  end.process.value, end.end_ns, end.exit_code, end.exit_signal, end.user_cpu_ns,
                  end.system_cpu_ns, end.peak_rss_bytes));
  return true;
}

bool TextDump::OnRunEnd(RunEnd end) {
  lines_.push_back(fmt::format("run_end {}", end.end_ns));
  return true;
}

bool TextDump::OnGilWait(GilWait wait) {
  const std::string holder = wait.holder ? fmt::format("{}", wait.holder->value) : "none";
  lines_.push_back(fmt::format("gil_wait waiter={} holder={} wait={} count={}", wait.waiter.value,
                               holder, wait.wait_ns, wait.count));
  return true;
}

bool TextDump::OnRegion(RegionInfo region) {
  lines_.push_back(fmt::format("region thread={} name={} begin={} length={} cpu={}",
                               region.thread.value, region.name.value, region.begin_ns,
                               region.length_ns, region.cpu_ns));
  return true;
}

bool TextDump::OnProfiledFunction(ProfiledFunction function) {
  lines_.push_back(fmt::format("profiled code={} inner={}", function.code.value, function.inner));
  return true;
}

bool TextDump::OnTask(TaskId id, TaskInfo task) {
  lines_.push_back(fmt::format("task {} process={} coroutine={} start={} name={}/{}", id.value,
                               task.process.value, task.coroutine.value, task.start_ns,
                               task.name.text.value, task.name.number));
  return true;
}

bool TextDump::OnTaskEnd(TaskEnd end) {
  lines_.push_back(fmt::format("task_end task={} end={} name={}/{}", end.task.value, end.end_ns,
                               end.name.text.value, end.name.number));
  return true;
}

bool TextDump::OnTaskOrigin(TaskOrigin origin) {
  lines_.push_back(
      fmt::format("task_origin task={} stack={}", origin.task.value, origin.stack.value));
  return true;
}

bool TextDump::OnAwait(Await await) {
  lines_.push_back(fmt::format("await task={} stack={} state={} time={} wait={} count={}",
                               await.task.value, await.stack.value, Number(await.state),
                               await.time_ns, await.wait_ns, await.count));
  return true;
}

bool TextDump::OnLoopBlock(LoopBlock block) {
  lines_.push_back(fmt::format("loop_block thread={} stack={} begin={} length={} count={}",
                               block.thread.value, block.stack.value, block.begin_ns,
                               block.length_ns, block.count));
  return true;
}

bool TextDump::OnMemoryChange(const MemoryChange& change) {
  lines_.push_back(
      fmt::format("memory_change time={} thread={} stack={} kind={} allocated={} freed={} high={}",
                  change.time_ns, change.thread.value, change.stack.value, Number(change.kind),
                  AmountText(change.allocated), AmountText(change.freed), change.high_bytes));
  return true;
}

bool TextDump::OnMemoryPeak(MemoryPeak peak) {
  lines_.push_back(fmt::format("memory_peak process={} time={} parts={}", peak.process.value,
                               peak.time_ns, PartsText(peak.parts)));
  return true;
}

bool TextDump::OnMemorySurvivors(MemorySurvivors survivors) {
  lines_.push_back(fmt::format("memory_survivors process={} time={} parts={}",
                               survivors.process.value, survivors.time_ns,
                               PartsText(survivors.parts)));
  return true;
}

bool TextDump::OnMemoryLevel(MemoryLevel level) {
  lines_.push_back(fmt::format(
      "memory_level process={} time={} rss={} pss={} python={} native={} mapped={} arenas={} "
      "small={}",
      level.process.value, level.time_ns, level.rss_bytes, level.pss_bytes, level.python_bytes,
      level.native_bytes, level.mapped_bytes, level.arena_bytes, level.small_bytes));
  return true;
}

bool TextDump::OnMetric(MetricId id, MetricInfo metric) {
  lines_.push_back(fmt::format("metric {} name={} unit={} title={}", id.value, metric.name.value,
                               metric.unit.value, metric.title.value));
  return true;
}

bool TextDump::OnMetricAmount(MetricAmount amount) {
  lines_.push_back(fmt::format(
      "metric_amount metric={} thread={} stack={} time={} value={} count={}", amount.metric.value,
      amount.thread.value, amount.stack.value,
      amount.time_ns ? fmt::format("{}", *amount.time_ns) : "none", amount.value, amount.count));
  return true;
}

}  // namespace pyrometer::format::testing
