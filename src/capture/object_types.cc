// SPDX-License-Identifier: Apache-2.0
#include "capture/object_types.h"

#include "cpython/block_type.h"

namespace pyrometer::capture {
namespace {

// Each look costs a system call or two; most candidates are gone before theirs.
constexpr int kMaxLooks = 256;
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

void ObjectTypes::Add(uint64_t address, uint64_t number, uint64_t stretch) {
  if (objects_ != nullptr && candidates_.size() < kMaxCandidates)
    candidates_.push_back({address, number, stretch});
}

void ObjectTypes::Look(uint64_t stretch) {
  reader_.Forget();
  int looks = 0;
  for (int step = 0; step < kMaxSteps && looks < kMaxLooks && !candidates_.empty(); ++step) {
    const Candidate candidate = candidates_.front();
    if (candidate.stretch >= stretch) return;
    candidates_.pop_front();
    LiveBlock* block = ledger_.Find(candidate.address, candidate.number);
    if (block == nullptr) continue;
    ++looks;
    char room[kMaxNameBytes];
    const uint64_t type =
        cpython::TypeOfBlock(layout_, *objects_, reader_, candidate.address, block->bytes);
    if (type != 0)
      block->type = writer_.Intern(cpython::ReadTypeName(*objects_, reader_, type, room));
  }
}

}  // namespace pyrometer::capture
