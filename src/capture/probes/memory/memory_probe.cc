// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/memory_probe.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace pyrometer::capture {

using transport::RecordType;

MemoryProbe::MemoryProbe(const ProbeContext& context)
    : agent_(*context.target.agent()),
      clock_(context.clock),
      memory_(context.target.pid(), context.process,
              clock_.SinceStart(context.target.facts().start_ns), context.target.layout(),
              agent_.memory, context.writer) {
  Counters(context.writer, context.process).Tell(metric::Counter::kMemoryByPieces, 1);
}

std::vector<RecordType> MemoryProbe::Takes() const {
  return {RecordType::kMemorySample, RecordType::kMemoryAgain, RecordType::kMemoryFree};
}

void MemoryProbe::ThreadStarted(const ThreadCapture& thread) {
  threads_.insert_or_assign(thread.tid, Thread{thread.id});
}

void MemoryProbe::ThreadEnded(const ThreadCapture& thread, ThreadExit& /*exit*/) {
  threads_.erase(thread.tid);
}

bool MemoryProbe::OnRecord(const Record& record) {
  if (record.type == RecordType::kMemorySample) {
    transport::MemorySample sample;
    return record.CopyTo(&sample) && OnMemorySample(sample, *record.thread);
  }
  if (record.type == RecordType::kMemoryAgain) {
    transport::MemoryAgain again;
    return record.CopyTo(&again) && OnMemoryAgain(again);
  }
  transport::MemoryFree free;
  return record.CopyTo(&free) && memory_.OnFree(free, clock_.SinceStart(free.time_ns));
}

bool MemoryProbe::OnMemorySample(const transport::MemorySample& sample,
                                 const ThreadCapture& thread) {
  if (sample.seen > transport::kMaxSeenStacks) return false;
  if (sample.seen != 0) threads_[thread.tid].seen[sample.seen - 1] = thread.leaf();
  return OnRequest(sample, thread.id, thread.leaf());
}

bool MemoryProbe::OnMemoryAgain(const transport::MemoryAgain& again) {
  const auto it = threads_.find(again.tid);
  if (it == threads_.end() || again.seen == 0 || again.seen > transport::kMaxSeenStacks)
    return false;
  return OnRequest(again, it->second.id, it->second.seen[again.seen - 1]);
}

template <class Sampled>
bool MemoryProbe::OnRequest(const Sampled& sampled, format::ThreadId thread,
                            format::StackId stack) {
  const bool is_reserve = sampled.kind == transport::MemoryKind::kReserved;
  MemoryRequest request;
  request.kind =
      is_reserve ? format::MemoryKind::kMapped : static_cast<format::MemoryKind>(sampled.kind);
  request.thread = thread;
  request.stack = stack;
  request.address = sampled.address;
  request.bytes = sampled.bytes;
  request.weight = sampled.weight;
  request.marks = sampled.marks;
  request.time_ns = clock_.SinceStart(sampled.time_ns);
  request.is_reserve = is_reserve;
  return memory_.OnRequest(request);
}

bool MemoryProbe::Poll(uint64_t now_ns, PollBudget& /*budget*/) {
  memory_.Check(now_ns);
  return true;
}

void MemoryProbe::End(uint64_t now_ns, format::ProcessEnd& end) {
  memory_.End(now_ns);
  end.peak_rss_bytes = std::max(end.peak_rss_bytes, memory_.peak_resident_bytes());
}

void MemoryProbe::Report(Counters& counters) const {
  counters.Count(metric::Counter::kMemorySamplesRefused, agent_.counters.blocks_refused);
  counters.Count(metric::Counter::kMemoryFreesLost, agent_.counters.frees_lost);
  counters.Count(metric::Counter::kMemorySamplesOverLimit, memory_.refused());
  counters.Count(metric::Counter::kMemoryUnmatched, memory_.unmatched());
  const char* const allocator = agent_.memory.allocator;
  const std::string served_by(allocator, strnlen(allocator, sizeof agent_.memory.allocator));
  if (!served_by.empty()) counters.Tell(metric::Counter::kMallocLibrary, 1, served_by);
  counters.Count(metric::Counter::kMemorySamples, agent_.counters.memory_samples);
  counters.Count(metric::Counter::kMemorySampling, agent_.counters.memory_ns);
}

}  // namespace pyrometer::capture
