// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/memory_capture.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <unordered_set>
#include <utility>

#include "base/clock.h"
#include "capture/probes/memory/address_ranges.h"

namespace pyrometer::capture {
namespace {

using format::MemoryKind;

uint64_t WindowNs(uint64_t elapsed_ns) {
  constexpr uint64_t kMinNs = 20'000'000;
  constexpr uint64_t kMaxNs = 10'000'000'000;
  constexpr uint64_t kShare = 128;  // the test for growth wants 72 of a run at least
  return std::clamp(elapsed_ns / kShare, kMinNs, kMaxNs);
}

bool IsKind(transport::MemoryKind kind) {
  return static_cast<uint64_t>(kind) < format::kMemoryKindCount;
}

}  // namespace

MemoryCapture::MemoryCapture(pid_t pid, format::ProcessId process, uint64_t start_ns,
                             const cpython::Layout& layout, const transport::MemoryLevels& levels,
                             format::CaptureWriter& writer)
    : process_(process),
      start_ns_(start_ns),
      agent_levels_(levels),
      writer_(writer),
      types_(pid, layout, ledger_, writer),
      levels_(pid),
      pages_(pid),
      cut_ns_(start_ns) {}

bool MemoryCapture::OnRequest(const MemoryRequest& request) {
  if (static_cast<uint64_t>(request.kind) >= format::kMemoryKindCount ||
      request.bytes > MemoryLedger::kMaxBytes || request.weight > MemoryLedger::kMaxWeight ||
      request.weight < request.marks || request.address > ~request.bytes)
    return false;
  if (request.kind == MemoryKind::kMapped && request.bytes == 0) return false;
  Hold({Event::What::kAllocated, request});
  return true;
}

bool MemoryCapture::OnFree(const transport::MemoryFree& free, uint64_t time_ns) {
  if (!IsKind(free.kind) || free.kind == transport::MemoryKind::kCopied) return false;
  MemoryRequest request;
  request.kind = static_cast<MemoryKind>(free.kind);
  request.address = free.address;
  request.bytes = free.bytes;
  request.time_ns = time_ns;
  if ((free.flags & transport::kTaken) != 0) {
    // More than the agent tells of; a program may have written what it likes.
    constexpr size_t kMostTold = 256;
    if (taken_at_end_.size() < kMostTold) taken_at_end_[free.address] = free.bytes;
  } else if ((free.flags & transport::kAtExit) == 0) {
    const bool discarded = (free.flags & transport::kDiscarded) != 0;
    Hold({discarded ? Event::What::kDiscarded : Event::What::kFreed, request});
  } else {
    Close(time_ns);
  }
  return true;
}

void MemoryCapture::Hold(const Event& event) {
  constexpr size_t kMost = 1 << 16;
  if (ended_) return;
  held_back_.push_back(event);
  if (held_back_.size() >= kMost) Replay(event.request.time_ns);
}

void MemoryCapture::Replay(uint64_t now_ns, Pages pages) {
  CheckGrowing(pages == Pages::kThere && now_ns < pages_due_ns_ ? Pages::kNotNow : pages);
  constexpr uint64_t kShareOfTime = 20;
  pages_budget_.Begin(
      static_cast<int64_t>((now_ns - std::min(replayed_ns_, now_ns)) / kShareOfTime));
  FindTaken(pages);
  pages_budget_.End();
  bool discarded = false;
  for (const auto& [what, request] : held_back_) {
    switch (what) {
      case Event::What::kAllocated: {
        const uint64_t number = ledger_.Allocate(request);
        if (number != 0 && request.kind == MemoryKind::kPython)
          types_.Add(request.address, number, window_);
        break;
      }
      case Event::What::kFreed:
        ledger_.Free(request.kind, request.address, request.bytes, request.time_ns);
        break;
      case Event::What::kDiscarded:
        ledger_.Discard(request.address, request.bytes);
        discarded = true;
        break;
    }
  }
  held_back_.clear();
  if (pages == Pages::kThere && pages_budget_.left_ns() > 0) CheckPages(now_ns, discarded);
  replayed_ns_ = now_ns;
}

// What is gone already has had no time to be anything but used. Of very many blocks the largest are
// asked for; the others count as filled until it is their turn.
void MemoryCapture::FindTaken(Pages pages) {
  std::unordered_map<uint64_t, MemoryRequest*> staying;
  for (auto& [what, request] : held_back_) {
    if (what == Event::What::kAllocated && MemoryLedger::IsLarge(request))
      staying[request.address] = &request;
    else if (what == Event::What::kFreed)
      staying.erase(request.address);
  }
  if (pages == Pages::kGoing) {
    for (const auto& [address, request] : staying)
      if (const auto taken = TakenAtEnd(address)) request->taken_bytes = *taken;
    return;
  }
  std::vector<MemoryRequest*> blocks;
  blocks.reserve(staying.size());
  for (const auto& [address, request] : staying) blocks.push_back(request);
  std::ranges::sort(blocks, std::greater(), &MemoryRequest::bytes);
  bool spent = false;
  for (size_t i = 0; i < blocks.size(); ++i) {
    constexpr size_t kAskedAtOnce = 8;
    spent = spent || (i % kAskedAtOnce == 0 && pages_budget_.Spent());
    if (spent)
      blocks[i]->is_worth_checking = true;
    else if (const auto taken = pages_.TakenBytes(blocks[i]->address, blocks[i]->bytes))
      blocks[i]->taken_bytes = *taken;
  }
  if (spent) resident_bytes_ = 0;  // so that it differs at the next check
}

std::optional<uint64_t> MemoryCapture::TakenAtEnd(uint64_t address) const {
  const auto it = taken_at_end_.find(address);
  if (it == taken_at_end_.end()) return {};
  return it->second;
}

void MemoryCapture::CheckGrowing(Pages pages) {
  if (!ledger_.HasPartlyTaken()) return;
  std::unordered_set<uint64_t> freed;
  AddressRanges unmapped;
  for (const auto& [what, request] : held_back_) {
    if (what != Event::What::kFreed) continue;
    freed.insert(request.address);
    if (request.kind == MemoryKind::kMapped) unmapped.Add(request.address, request.bytes);
  }
  ledger_.UpdateTaken(
      MemoryLedger::Growing::kYes,
      [&](uint64_t address, uint64_t bytes) -> std::optional<uint64_t> {
        // It was filled before it was freed, or before the end.
        if (freed.contains(address) || unmapped.Meets(address, bytes)) return bytes;
        if (pages == Pages::kGoing) return TakenAtEnd(address).value_or(bytes);
        if (pages == Pages::kNotNow) return {};
        return pages_.TakenBytes(address, bytes);
      },
      replayed_ns_);
}

// While resident memory stays the same, nothing is taken. Where pages take long to check, they
// are checked less often.
void MemoryCapture::CheckPages(uint64_t now_ns, bool at_once) {
  constexpr uint64_t kCostShare = 100;
  const uint64_t before = std::exchange(resident_bytes_, levels_.ResidentBytes());
  if (!ledger_.HasPartlyTaken()) return;
  if (!at_once && (now_ns < pages_due_ns_ || resident_bytes_ == before)) return;
  const uint64_t begin_ns = base::NowNs(CLOCK_THREAD_CPUTIME_ID);
  pages_budget_.Begin(0);
  ledger_.UpdateTaken(
      MemoryLedger::Growing::kNo,
      [&](uint64_t address, uint64_t bytes) { return pages_.TakenBytes(address, bytes); }, now_ns);
  pages_budget_.End();
  pages_due_ns_ = now_ns + kCostShare * (base::NowNs(CLOCK_THREAD_CPUTIME_ID) - begin_ns);
}

void MemoryCapture::Check(uint64_t now_ns) {
  if (ended_ || now_ns < cut_ns_) return;
  Replay(now_ns);
  if (now_ns - cut_ns_ >= WindowNs(now_ns - start_ns_)) {
    Cut(now_ns, false);
    constexpr uint64_t kPeakPeriodNs = 1'000'000'000;
    const uint64_t peak = ledger_.places().peak_bytes();
    if (peak >= written_peak_bytes_ + written_peak_bytes_ / 10 &&
        now_ns - written_peak_ns_ >= kPeakPeriodNs)
      WritePeak(now_ns);
  }
  // Live for a whole window, and a part of another.
  if (window_ >= 1) types_.Check(window_ - 1);
}

void MemoryCapture::Close(uint64_t time_ns) {
  if (ended_) return;
  Replay(time_ns, Pages::kGoing);
  ledger_.CountUntaken();
  Cut(std::max(time_ns, cut_ns_), true);
  ended_ = true;
}

void MemoryCapture::End(uint64_t now_ns) {
  Close(now_ns);
  Checkpoint(now_ns);
}

void MemoryCapture::Checkpoint(uint64_t now_ns) {
  if (!ended_) {
    Replay(now_ns);
    Cut(std::max(now_ns, cut_ns_), true);
  }
  WritePeak(now_ns);
  writer_.AddMemorySurvivors({process_, cut_ns_, ledger_.Live()});
}

void MemoryCapture::Cut(uint64_t time_ns, bool with_pss) {
  ledger_.Settle(time_ns);
  for (const format::MemoryChange& change : ledger_.places().TakeChanges(time_ns))
    writer_.AddMemoryChange(change);
  WriteLevel(time_ns, with_pss);
  cut_ns_ = time_ns;
  ++window_;
}

void MemoryCapture::WriteLevel(uint64_t time_ns, bool with_pss) {
  const MemoryPlaces& places = ledger_.places();
  format::MemoryLevel level;
  const bool known = levels_.Read(time_ns, with_pss, &level);
  // By now it may have freed what it had at its last line.
  if (const uint64_t left = agent_levels_.resident_bytes; left != 0) level.rss_bytes = left;
  if (!known && level.rss_bytes == 0) return;
  level.process = process_;
  level.time_ns = time_ns;
  level.python_bytes = places.live_bytes(MemoryKind::kPython);
  level.native_bytes = places.live_bytes(MemoryKind::kNative);
  level.mapped_bytes = places.live_bytes(MemoryKind::kMapped);
  level.arena_bytes = agent_levels_.arena_bytes;
  level.small_bytes = ledger_.small_bytes();
  writer_.AddMemoryLevel(level);
}

void MemoryCapture::WritePeak(uint64_t now_ns) {
  const MemoryPlaces& places = ledger_.places();
  if (places.peak_number() == written_peak_number_) return;
  written_peak_number_ = places.peak_number();
  written_peak_bytes_ = places.peak_bytes();
  written_peak_ns_ = now_ns;
  writer_.AddMemoryPeak({process_, places.peak_ns(), places.LiveAtPeak()});
}

}  // namespace pyrometer::capture
