// SPDX-License-Identifier: Apache-2.0
// Writes a large capture of a made-up program, always the same one:
//   generate_capture FILE [SAMPLES [STACKS [PROCESSES]]]
#include <fcntl.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "base/scoped_fd.h"
#include "format/capture_writer.h"
#include "format/file_sink.h"
#include "made_up_program.h"

namespace pyrometer::bench {
namespace {

using format::Activity;

constexpr uint64_t kSeed = 20;
constexpr uint64_t kPeriodNs = 1'000'000;
constexpr size_t kProcesses = 2;
constexpr size_t kThreads = 4;          // of each process
constexpr uint64_t kMemoryEvery = 50;   // samples of time for each change of memory
constexpr size_t kAllocating = 20'000;  // stacks that allocate
// Of all processes together, so that more of them make no larger file:
constexpr size_t kParts = 10'000;  // of what is live at the peak, and before the end
constexpr size_t kLevels = 4000;
constexpr uint32_t kTasks = 400;

class Generator {
 public:
  Generator(format::CaptureWriter& writer, uint64_t samples, uint32_t stacks, size_t processes)
      : writer_(writer),
        samples_(samples),
        process_count_(processes),
        random_(kSeed),
        program_(writer, stacks, kSeed) {
    for (size_t i = 0; i < kAllocating; ++i)
      allocating_.push_back(program_.Pick(static_cast<double>(i) / kAllocating, random_));
    end_ns_ = samples / (kThreads * processes) * kPeriodNs + kPeriodNs;
  }

  void Write() {
    AddProcesses();
    AddTasks();
    AddSamples();
    AddMoments();
    for (const format::ThreadId thread : threads_)
      writer_.EndThread({thread, end_ns_, end_ns_ / 2, ""});
    for (const format::ProcessId process : processes_)
      writer_.EndProcess({process, end_ns_, 0, 0, end_ns_, end_ns_ / 10, uint64_t{2} << 30});
  }
  uint64_t end_ns() const { return end_ns_; }

 private:
  void AddProcesses() {
    for (size_t process = 0; process < process_count_; ++process) {
      const uint64_t pid = 1000 + 10 * process;
      processes_.push_back(
          writer_.AddProcess({.pid = pid,
                              .parent_pid = pid == 1000 ? 999u : 1000u,
                              .argv = {"python3", "-m", "shop.server", std::to_string(pid)},
                              .executable = "/usr/bin/python3.12",
                              .interpreter = "CPython 3.12.3",
                              .clock = "cpu-timer",
                              .sample_period_ns = kPeriodNs}));
      for (uint64_t i = 0; i < kThreads; ++i)
        threads_.push_back(
            writer_.AddThread({processes_.back(), pid + i, 0,
                               i == 0 ? "MainThread" : "Worker-" + std::to_string(i)}));
    }
  }

  void AddTasks() {
    for (uint32_t i = 0; i < kTasks; ++i) {
      const uint64_t start_ns = end_ns_ / kTasks * i;
      const format::TaskId task =
          writer_.AddTask({processes_[0], program_.coroutine(), start_ns, {{}, i + 1}});
      writer_.EndTask({task, start_ns + end_ns_ / kTasks, {}});
    }
  }

  Activity Doing(format::StackId stack) {
    const uint64_t dice = random_() % 100;
    if (dice < 8) return Activity::kIoWait;
    if (dice < 12) return Activity::kLockWait;
    if (dice < 16) return Activity::kGilWait;
    if (dice < 20) return Activity::kKernel;
    return program_.IsNative(stack) && dice < 50 ? Activity::kNative : Activity::kPython;
  }

  void AddSamples() {
    const size_t threads = threads_.size();
    std::vector<format::Sample> last(threads);
    for (uint64_t i = 0; i < samples_; ++i) {
      const size_t at = i % threads;
      format::Sample& sample = last[at];
      const double position = static_cast<double>(i) / static_cast<double>(samples_);
      // A thread stays for a while where it is.
      if (i < threads || random_() % 3 != 0) {
        sample.stack = program_.Pick(position, random_);
        sample.activity = Doing(sample.stack);
      }
      sample.thread = threads_[at];
      sample.weight_ns = kPeriodNs + random_() % 2000 - 1000;
      sample.time_ns += sample.weight_ns;
      if (at == 0) sample.task = format::TaskId(static_cast<uint32_t>(position * kTasks));
      writer_.AddSample(sample);
      if (i % kMemoryEvery == 0) AddChange(sample);
      if (i % (samples_ * process_count_ / kLevels + 1) == 0) AddLevel(sample.time_ns);
    }
  }

  // Half of it is given back before the stretch ends.
  void AddChange(const format::Sample& sample) {
    const uint64_t bytes = 1024 + random_() % 100'000;
    writer_.AddMemoryChange({.time_ns = sample.time_ns / 100'000'000 * 100'000'000,
                             .thread = sample.thread,
                             .stack = allocating_[random_() % allocating_.size()],
                             .kind = format::MemoryKind(random_() % 4 == 0 ? 1 : 0),
                             .allocated = {bytes, bytes / 64, 1, bytes / 1024},
                             .freed = {bytes / 2, bytes / 128, 0, 0},
                             .high_bytes = bytes});
  }

  void AddLevel(uint64_t time_ns) {
    const uint64_t rss = (uint64_t{200} << 20) + random_() % (uint64_t{64} << 20);
    for (const format::ProcessId process : processes_)
      writer_.AddMemoryLevel(
          {process, time_ns, rss, rss / 2, rss / 3, rss / 4, rss / 8, rss / 3, rss / 4});
  }

  void AddMoments() {
    const format::StringId dict = writer_.Intern("dict");
    for (size_t i = 0; i < processes_.size(); ++i) {
      format::MemoryPeak peak{processes_[i], end_ns_ / 2, {}};
      format::MemorySurvivors left{processes_[i], end_ns_, {}};
      const size_t parts = kParts / process_count_;
      for (size_t part = 0; part < parts; ++part) {
        const double position = static_cast<double>(part) / static_cast<double>(parts);
        format::LiveMemory live{.thread = threads_[i * kThreads + part % kThreads],
                                .stack = program_.Pick(position, random_),
                                .amount = {50'000 + random_() % 50'000, 100, 2, 30}};
        peak.parts.push_back(live);
        live.type = dict;
        if (part % 3 == 0) left.parts.push_back(live);
      }
      writer_.AddMemoryPeak(std::move(peak));
      writer_.AddMemorySurvivors(std::move(left));
    }
  }

  format::CaptureWriter& writer_;
  const uint64_t samples_;
  const size_t process_count_;
  std::mt19937_64 random_;
  MadeUpProgram program_;
  uint64_t end_ns_ = 0;
  std::vector<format::ProcessId> processes_;
  std::vector<format::ThreadId> threads_;
  std::vector<format::StackId> allocating_;
};

int Main(const char* path, uint64_t samples, uint64_t stacks, uint64_t processes) {
  base::ScopedFd fd(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd.valid() || processes == 0 || processes > 100'000 || samples < kThreads * processes ||
      stacks < 100 || stacks > 100'000'000) {
    std::fprintf(stderr, "generate_capture: cannot write so much to %s\n", path);
    return 2;
  }
  format::FileSink sink(std::move(fd));
  format::CaptureWriter writer(sink, {.pyrometer_version = "0",
                                      .command = {"python3", "-m", "shop.server"},
                                      .working_directory = "/srv/shop",
                                      .operating_system = "Linux",
                                      .options = "rate=1000"});
  Generator generator(writer, samples, static_cast<uint32_t>(stacks), processes);
  generator.Write();
  if (const auto status = writer.Finish({generator.end_ns()}); !status.ok()) {
    std::fprintf(stderr, "generate_capture: %s\n", status.error().message.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace pyrometer::bench

int main(int argc, char** argv) {
  if (argc < 2 || argc > 5 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: generate_capture FILE [SAMPLES [STACKS [PROCESSES]]]\n");
    return 2;
  }
  const auto number = [&](int at, uint64_t otherwise) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
  };
  return pyrometer::bench::Main(argv[1], number(2, 10'000'000), number(3, 1'000'000),
                                number(4, pyrometer::bench::kProcesses));
}
