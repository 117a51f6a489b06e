// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/object_types.h"

#include <algorithm>
#include <vector>

#include "cpython/block_type.h"

namespace pyrometer::capture {
namespace {

// Most candidates are gone before their check.
constexpr size_t kMaxChecks = 256;
constexpr int kMaxSteps = 4096;
constexpr size_t kMaxCandidates = 1'000'000;
constexpr size_t kMaxNameBytes = 256;

}  // namespace

ObjectTypes::ObjectTypes(pid_t pid, const cpython::Layout& layout, MemoryLedger& ledger,
                         format::CaptureWriter& writer)
    : layout_(layout),
      objects_(cpython::FindObjectLayout(layout.minor, layout.free_threaded)),
      ledger_(ledger),
      writer_(writer),
      memory_(pid),
      reader_(memory_) {}

void ObjectTypes::Add(uint64_t address, uint64_t number, uint64_t window) {
  if (objects_ != nullptr && candidates_.size() < kMaxCandidates)
    candidates_.push_back({address, number, window});
}

void ObjectTypes::Check(uint64_t window) {
  std::vector<Candidate> live;
  PageReader::Pages pages;
  for (int step = 0; step < kMaxSteps && live.size() < kMaxChecks && !candidates_.empty(); ++step) {
    const Candidate candidate = candidates_.front();
    if (candidate.window >= window) break;
    candidates_.pop_front();
    if (ledger_.Find(candidate.address, candidate.number) == nullptr) continue;
    live.push_back(candidate);
    pages.push_back(PageReader::PageOf(candidate.address));
  }
  if (live.empty()) return;
  std::ranges::sort(pages);
  pages.erase(std::ranges::unique(pages).begin(), pages.end());
  reader_.Renew(pages);
  for (const Candidate& candidate : live) {
    LiveBlock* block = ledger_.Find(candidate.address, candidate.number);
    char room[kMaxNameBytes];
    const uint64_t type =
        cpython::TypeOfBlock(layout_, *objects_, reader_, candidate.address, block->bytes);
    if (type != 0)
      block->type = writer_.Intern(cpython::ReadTypeName(*objects_, reader_, type, room));
  }
}

}  // namespace pyrometer::capture
