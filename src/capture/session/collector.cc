// SPDX-License-Identifier: Apache-2.0
#include "capture/session/collector.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/clock.h"
#include "capture/probes/all_probes.h"
#include "capture/session/zip_source.h"
#include "capture/targets/ring_mapping.h"
#include "capture/targets/ring_target.h"
#include "os/process_facts.h"
#include "os/read_file.h"
#include "symbolize/symbolize_frames.h"

namespace pyrometer::capture {
namespace {

constexpr uint64_t kFlushPeriodNs = 1'000'000'000;
constexpr uint64_t kCheckPeriodNs = 100'000'000;
constexpr uint64_t kSettleNs = 50'000'000;
constexpr uint64_t kMaxSourceBytes = 2u << 20;
constexpr uint64_t kMaxAllSourceBytes = 64u << 20;

// Whether `user` may speak for the process: nobody says so, or it is not there any more.
bool IsOf(uid_t user, uint32_t pid) {
  return os::ReadEffectiveUser(static_cast<pid_t>(pid)).value_or(user) == user;
}

bool IsForEverybody(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && (info.st_mode & S_IROTH) != 0;
}

}  // namespace

uint64_t MonotonicNs() { return base::NowNs(CLOCK_MONOTONIC); }

Collector::Collector(SessionDirectory& session, const base::RecordOptions& options,
                     uint64_t run_start_ns, format::CaptureWriter& writer)
    : session_(session),
      options_(options),
      run_start_ns_(run_start_ns),
      writer_(writer),
      stacks_(writer),
      recording_(StartState()) {}

Collector::~Collector() = default;

int Collector::Tick() {
  FindProcesses(false);
  ApplyDuration();
  bool silent = true;
  for (const auto& process : processes_) silent = !process->Drain() && silent;
  budget_.Begin();
  for (const auto& process : processes_) process->Meet(now_ns());
  for (const auto& process : processes_) process->Poll(now_ns(), budget_);
  budget_.End();
  // Whom the budget did not suffice for comes first next time.
  if (processes_.size() > 1)
    std::rotate(processes_.begin(), processes_.begin() + 1, processes_.end());
  const uint64_t now = now_ns();
  if (now - checked_ns_ >= kCheckPeriodNs) {
    checked_ns_ = now;
    EndDeadProcesses();
  }
  if (now - flushed_ns_ >= kFlushPeriodNs) {
    flushed_ns_ = now;
    for (const auto& process : processes_) process->Flush();
    NameFrames();
    WriteSymbols(namer_.Take());
    Save();
  }
  return budget_.NextTickMs(silent);
}

// A disk that is full is told at the end; the program goes on, and need not pay
// for samples that nobody can keep.
void Collector::Save() {
  if (writer_.Flush().ok())
    safe_ns_ = now_ns();
  else
    SetRecording(transport::RecordingState::kStopped);
}

void Collector::FindProcesses(bool all) {
  for (const std::string& path : session_.NewRings()) {
    auto ring = RingMapping::Open(path);
    if (!ring) continue;
    if (ring->owner() != geteuid() && !IsOf(ring->owner(), ring->header().pid)) {
      session_.MarkSeen(path);
      continue;
    }
    const transport::RingHeader& header = ring->header();
    const transport::AgentCounters& counters = header.counters;
    const bool sampled = (options_.cpu ? counters.samples : counters.memory_samples) != 0;
    // The child of a fork that execs at once has nothing to tell.
    const bool replaced = header.state == transport::ProcessState::kReplaced;
    const bool settled = sampled || header.state == transport::ProcessState::kUnsupported ||
                         MonotonicNs() - header.start_ns >= kSettleNs;
    if (!settled && !replaced && !all) continue;
    session_.MarkSeen(path);
    if (replaced && !sampled) {
      std::error_code ignored;
      std::filesystem::remove(path, ignored);
      continue;
    }
    if (ring->owner() != geteuid()) has_other_users_ = true;
    auto process = std::make_unique<ProcessCapture>(std::make_unique<RingTarget>(std::move(*ring)),
                                                    MakeAllProbes, options_,
                                                    RunClock{run_start_ns_}, stacks_, writer_);
    // The mapping keeps it alive; the room is released when both are gone.
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (process->unsupported().empty()) {
      profiled_any_ = true;
      // Its own ring says so already when it was started with --off.
      if (recording_ != StartState()) process->SetRecording(recording_);
    } else {
      unsupported_ = process->unsupported();
    }
    EndReplaced(process->pid(), process->start_ns());
    processes_.push_back(std::move(process));
  }
  without_ring_ += session_.TakeRefused();
}

void Collector::ApplyDuration() {
  if (options_.duration_ms == 0 || recording_ == transport::RecordingState::kStopped) return;
  if (now_ns() < uint64_t{options_.duration_ms} * 1'000'000) return;
  SetRecording(transport::RecordingState::kStopped);
}

transport::RecordingState Collector::StartState() const {
  return options_.off ? transport::RecordingState::kPaused : transport::RecordingState::kOn;
}

void Collector::SetRecording(transport::RecordingState state) {
  if (recording_ == transport::RecordingState::kStopped) return;
  recording_ = state;
  for (const auto& process : processes_) process->SetRecording(state);
}

bool Collector::Has(pid_t pid) const {
  return std::any_of(processes_.begin(), processes_.end(),
                     [pid](const auto& process) { return process->pid() == pid; });
}

std::vector<pid_t> Collector::pids() const {
  std::vector<pid_t> pids;
  for (const auto& process : processes_) pids.push_back(process->pid());
  return pids;
}

void Collector::EndDeadProcesses() {
  std::erase_if(processes_, [this](const auto& process) {
    if (!process->ended()) return false;
    const format::ProcessEnd end = process->DescribeEnd(now_ns());
    process->End(now_ns(), &end);
    return true;
  });
}

void Collector::EndReplaced(pid_t pid, uint64_t end_ns) {
  std::erase_if(processes_, [&](const auto& process) {
    if (process->pid() != pid) return false;
    format::ProcessEnd end;
    end.end_ns = end_ns;
    process->End(end_ns, &end);
    return true;
  });
}

void Collector::EndProcess(pid_t pid, const format::ProcessEnd& end) {
  FindProcesses(true);
  std::erase_if(processes_, [&](const auto& process) {
    if (process->pid() != pid) return false;
    process->End(now_ns(), &end);
    return true;
  });
  EndDeadProcesses();
}

void Collector::NoteProgramCpu(uint64_t cpu_ns) {
  if (!profiled_any_) return;
  counters_.Tell(metric::Counter::kProgramCpu, cpu_ns);
  counters_.Tell(metric::Counter::kProgramEnd, now_ns());
}

void Collector::Finish() {
  FindProcesses(true);
  for (const auto& process : processes_) process->End(now_ns(), nullptr);
  processes_.clear();
  MakeWhole();
}

void Collector::Checkpoint() {
  MakeWhole();
  counters_.Tell(metric::Counter::kSnapshotAt, now_ns());
  Save();
}

void Collector::MakeWhole() {
  for (const auto& process : processes_) process->Checkpoint(now_ns());
  NameFrames();
  WriteSymbols(namer_.Finish());
  WriteSources();
  WriteOwnCost();
  counters_.Count(metric::Counter::kProcessesNotRecorded, without_ring_);
  Save();
}

void Collector::NameFrames() {
  std::vector<FrameNamer::Frame> frames;
  const std::vector<NativeFrame>& all = stacks_.native_frames();
  for (; handed_to_namer_ < all.size(); ++handed_to_namer_) {
    const NativeFrame& native = all[handed_to_namer_];
    const StackTable::ModuleFacts& module = stacks_.FactsOf(native.module);
    frames.push_back(
        {native.frame, os::VdsoFile::Is(module.path) ? vdso_.path() : module.path, module.build_id,
         native.address,
         module.infrastructure ? symbolize::Detail::kNames : symbolize::Detail::kLines});
  }
  namer_.Add(std::move(frames));
}

void Collector::WriteSymbols(const std::vector<symbolize::NamedFrame>& frames) {
  for (const symbolize::NamedFrame& frame : frames) stacks_.Name(frame);
}

// The report shows the lines as they were, also elsewhere and later.
void Collector::WriteSources() {
  uint64_t total = 0;
  for (const std::string& path : stacks_.SourceFiles()) {
    if (!sources_written_.insert(path).second) continue;
    // Another user's process must not name a file that this user alone may read.
    if (has_other_users_ && !IsForEverybody(path)) continue;
    auto text = os::ReadFile(path, kMaxSourceBytes);
    if (!text) text = ReadZipSource(path, kMaxSourceBytes);
    if (!text || total + text->size() > kMaxAllSourceBytes) continue;
    total += text->size();
    writer_.AddSource({writer_.Intern(path), std::move(*text)});
  }
}

void Collector::WriteOwnCost() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& t) {
    return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(t.tv_usec) * 1000;
  };
  cost_ns_ = earlier_cost_ns_ + ns(usage.ru_utime) + ns(usage.ru_stime);
  counters_.Tell(metric::Counter::kCollector, cost_ns_);
}

}  // namespace pyrometer::capture
