// SPDX-License-Identifier: Apache-2.0
#include "format/testing/small_capture.h"

#include <string>

#include "format/memory_sink.h"

namespace pyrometer::format::testing {
namespace {

// The part of a run before its first flush: a process that computes.
void WriteStart(CaptureWriter& writer) {
  const ProcessId process = writer.AddProcess({.pid = 4242,
                                               .parent_pid = 4241,
                                               .start_ns = 1000,
                                               .argv = {"python3", "app.py", ""},
                                               .executable = "/usr/bin/python3.12",
                                               .interpreter = "CPython 3.12.1",
                                               .clock = "cpu-timer",
                                               .sample_period_ns = 4'000'000});
  const ThreadId thread =
      writer.AddThread({.process = process, .tid = 4242, .start_ns = 1000, .name = "MainThread"});
  const StringId file = writer.Intern("app.py");
  const CodeId code =
      writer.AddCode({.filename = file, .qualname = writer.Intern("Loop.run"), .first_line = 10});
  const ModuleId module = writer.AddModule(
      {.path = writer.Intern("/usr/lib/libz.so.1"), .build_id = std::string("\x00\xff\x7f", 3)});
  const FrameId python = writer.AddFrame({.kind = FrameKind::kPython, .code = code, .line = 12});
  const FrameId native = writer.AddFrame(
      {.kind = FrameKind::kNative, .module = module, .address = 0xffff'ffff'ffff'f000});
  const StackId root = writer.AddStack({.parent = kEmptyStack, .frame = python});
  const StackId leaf = writer.AddStack({.parent = root, .frame = native});
  for (uint64_t i = 1; i <= 3; ++i) {
    writer.AddSample({.time_ns = i * 4'000'000 + i,
                      .thread = thread,
                      .stack = i == 2 ? leaf : root,
                      .activity = i == 2 ? Activity::kNative : Activity::kPython,
                      .weight_ns = 4'000'000 - i});
  }
  writer.AddCounter({.process = process, .kind = CounterKind::kLoss, .name = "ring full"});
}

// What the child's thread has allocated.
void WriteMemory(CaptureWriter& writer, ProcessId child, ThreadId thread, StackId stack) {
  const MemoryAmount amount = {524'400, 9'362, 1, 262'000};
  for (const uint64_t time_ns : {20'000'000, 40'000'000}) {
    writer.AddMemoryChange({.time_ns = time_ns,
                            .thread = thread,
                            .stack = stack,
                            .kind = MemoryKind::kNative,
                            .allocated = amount,
                            .high_bytes = amount.bytes * time_ns / 20'000'000});
  }
  writer.AddMemoryChange({.time_ns = 40'000'000,
                          .thread = ThreadId(0),
                          .kind = MemoryKind::kCopied,
                          .allocated = {uint64_t{1} << 60, 1, 1, 0}});
  const LiveMemory part = {.thread = thread,
                           .stack = stack,
                           .kind = MemoryKind::kNative,
                           .type = writer.Intern("copy"),
                           .amount = amount};
  writer.AddMemoryPeak({.process = child, .time_ns = 39'000'000, .parts = {part, part}});
  writer.AddMemorySurvivors({.process = child, .time_ns = 41'000'000, .parts = {part}});
  writer.AddMemorySurvivors({.process = ProcessId(0), .time_ns = 41'000'000});
  writer.AddMemoryLevel({.process = child,
                         .time_ns = 40'000'000,
                         .rss_bytes = 10 << 20,
                         .native_bytes = amount.bytes,
                         .arena_bytes = 1 << 20});
}

// The part behind it: a child that waits, and the ends of everything.
void WriteRest(CaptureWriter& writer) {
  const ProcessId child = writer.AddProcess({.pid = 4243, .parent_pid = 4242, .start_ns = 9000});
  const ThreadId thread = writer.AddThread({.process = child, .tid = 4250, .start_ns = 9100});
  const FrameId special =
      writer.AddFrame({.kind = FrameKind::kSpecial, .name = writer.Intern("<no Python>")});
  const StackId stack = writer.AddStack({.parent = kEmptyStack, .frame = special});
  writer.AddSample({.time_ns = 20'000'000,
                    .thread = thread,
                    .stack = stack,
                    .activity = Activity::kOtherWait,
                    .weight_ns = 0,
                    .count = 7});
  // Earlier than the one before: the file order is not the order of time.
  writer.AddSample({.time_ns = 19'000'000,
                    .thread = ThreadId(0),
                    .stack = kEmptyStack,
                    .activity = Activity::kKernel,
                    .weight_ns = 500});
  const StringId file = writer.Intern("inflate.c");
  writer.AddSymbol({.frame = FrameId(1),
                    .lines = {{.function = writer.Intern("copy"), .file = file, .line = 3},
                              {.function = writer.Intern("inflate"), .file = file, .line = 99}}});
  writer.AddSource({.path = writer.Intern("app.py"), .text = "def f():\n    return 'x'\n"});
  writer.AddCounter(
      {.process = ProcessId(0), .kind = CounterKind::kLoss, .name = "ring full", .value = 5});
  writer.AddCounter(
      {.process = child, .kind = CounterKind::kCost, .name = "handler ns", .value = UINT64_MAX});
  writer.AddCounter({.process = child, .kind = CounterKind::kFact, .name = "rate", .value = 250});
  writer.AddGilWait(
      {.waiter = ThreadId(0), .holder = ThreadId(0), .wait_ns = 5'000'000, .count = 2});
  writer.AddGilWait({.waiter = thread, .wait_ns = 7});
  writer.AddRegion({.thread = thread,
                    .name = writer.Intern("copy"),
                    .begin_ns = 9'500,
                    .length_ns = 1'000'000,
                    .cpu_ns = 40});
  writer.AddProfiledFunction({.code = CodeId(0), .inner = true});
  const TaskId task = writer.AddTask({.process = ProcessId(0),
                                      .coroutine = CodeId(0),
                                      .start_ns = 9'600,
                                      .name = {.text = {}, .number = 3}});
  writer.AddTaskOrigin({.task = task, .stack = stack});
  writer.AddSample({.time_ns = 20'500'000, .thread = thread, .weight_ns = 9, .task = task});
  writer.AddAwait({.task = task,
                   .stack = stack,
                   .state = AwaitState::kReady,
                   .time_ns = 12'000'000,
                   .wait_ns = 2'000'000,
                   .count = 4});
  writer.AddLoopBlock(
      {.thread = thread, .stack = stack, .begin_ns = 10, .length_ns = 60'000'000, .count = 6});
  WriteMemory(writer, child, thread, stack);
  const MetricId hits = writer.AddMetric(
      {.name = writer.Intern("cache_hits"), .unit = writer.Intern("hits"), .title = {}});
  writer.AddMetricAmount({.metric = hits, .thread = thread, .stack = stack, .value = 12});
  writer.AddMetricAmount({.metric = hits,
                          .thread = ThreadId(0),
                          .stack = stack,
                          .time_ns = 15'000'000,
                          .value = (uint64_t{1} << 61) - 1,
                          .count = 3});
  writer.EndTask(
      {.task = task, .end_ns = 12'500'000, .name = {.text = writer.Intern("copy"), .number = 0}});
  writer.EndThread({.thread = thread, .end_ns = 21'000'000, .cpu_ns = 42, .name = "worker"});
  writer.EndProcess({.process = child,
                     .end_ns = 21'000'000,
                     .exit_code = -1,
                     .exit_signal = 9,
                     .user_cpu_ns = 1,
                     .system_cpu_ns = 2,
                     .peak_rss_bytes = uint64_t{1} << 40});
  writer.EndProcess({.process = ProcessId(0), .end_ns = 22'000'000, .exit_code = 3});
}

}  // namespace

RunInfo SmallRun() {
  return {.pyrometer_version = "0.1.0",
          .command = {"app.py", "--fast"},
          .working_directory = "/home/user",
          .operating_system = "Linux 6.1 x86_64",
          .start_unix_ns = 1'700'000'000'000'000'000,
          .options = "rate=250"};
}

void WriteSmallRun(CaptureWriter& writer) {
  WriteStart(writer);
  static_cast<void>(writer.Flush());
  WriteRest(writer);
  static_cast<void>(writer.Finish({.end_ns = 23'000'000}));
}

std::vector<uint8_t> SmallCapture() {
  MemorySink sink;
  CaptureWriter writer(sink, SmallRun());
  WriteSmallRun(writer);
  return sink.bytes();
}

}  // namespace pyrometer::format::testing
