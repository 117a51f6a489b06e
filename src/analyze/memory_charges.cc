// SPDX-License-Identifier: Apache-2.0
#include "analyze/memory_charges.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "analyze/memory_moments.h"
#include "profile/element_copies.h"

namespace pyrometer::analyze {

MemoryCharges::MemoryCharges(const profile::Profile& profile, const FrameTable& frames,
                             const MemoryHistory& history, std::optional<format::ProcessId> process,
                             const Span& span, bool totals, bool profiled_only)
    : profile_(profile),
      frames_(frames),
      process_(process),
      span_(span),
      totals_(totals),
      profiled_only_(profiled_only) {
  for (const bool with_timeline : {true, false, true}) accounts_.emplace_back(with_timeline);
  AddChanges(history);
  AddSteps(history);
  AddMoments(history);
  Close();
}

const MemoryParts* MemoryCharges::Find(uint64_t key) const {
  const auto it = parts_.find(key);
  return it == parts_.end() ? nullptr : &it->second;
}

const MemoryStats& MemoryCharges::Thread(uint32_t thread) const {
  static const MemoryStats kNone;
  const auto it = threads_.find(thread);
  return it == threads_.end() ? kNone : accounts_[it->second].stats;
}

uint32_t MemoryCharges::RowAccounts(uint64_t key) {
  const auto [it, fresh] = rows_.try_emplace(key, static_cast<uint32_t>(accounts_.size()));
  if (fresh)
    for (uint32_t i = 0; i < kRowAccounts; ++i) accounts_.emplace_back(i == kScoped);
  return it->second;
}

uint32_t MemoryCharges::ThreadAccount(format::ThreadId thread) {
  const auto [it, fresh] =
      threads_.try_emplace(thread.value, static_cast<uint32_t>(accounts_.size()));
  if (fresh) accounts_.emplace_back(false);
  return it->second;
}

template <class Use>
void MemoryCharges::ForEach(format::ThreadId thread, format::StackId stack, Use use) {
  const auto [it, fresh] = charges_.try_emplace(stack.value);
  if (fresh) it->second = FindCharges(stack);
  for (const uint32_t account : it->second) use(accounts_[account]);
  use(accounts_[ThreadAccount(thread)]);
}

// The rules are those of ViewBuilder::AddStack.
MemoryCharges::Charges MemoryCharges::FindCharges(format::StackId stack) {
  Charges charges;
  std::unordered_set<uint64_t> on_stack;  // recursion counts once
  bool self_done = false, scoped_done = false, line_done = false;
  for (; stack != format::kEmptyStack; stack = profile_.stacks[stack.value].parent) {
    const format::FrameId frame = profile_.stacks[stack.value].frame;
    if (!frames_.IsPython(frame)) continue;
    const FrameTable::Spot& spot = frames_.spots()[frames_.SpotOf(frame)];
    const uint64_t line = LineKey(spot.line), function = FunctionKey(spot.function),
                   file = FileKey(frames_.lines()[spot.line].file);
    const bool in_scope = frames_.InScope(spot);
    const bool has_row = profiled_only_ ? frames_.functions()[spot.function].profiled : in_scope;
    const bool is_self = !std::exchange(self_done, true);
    const bool is_scoped = in_scope && !std::exchange(scoped_done, true);
    const bool is_line = has_row && !std::exchange(line_done, true);
    if (!totals_ && !is_self && !is_scoped && !is_line) continue;
    for (const uint64_t key : {line, function, file}) {
      const uint32_t row = RowAccounts(key);
      if (is_self) charges.push_back(row + kSelf);
      if (is_scoped && key != line) charges.push_back(row + kScoped);
      if (totals_ && on_stack.insert(key).second) charges.push_back(row + kTotalOfRow);
    }
    if (is_line) charges.push_back(RowAccounts(line) + kScoped);
    if (!totals_ && scoped_done && line_done) break;
  }
  if (!self_done) charges.push_back(kWithoutPython);
  if (!scoped_done) charges.push_back(kOutside);
  charges.push_back(kTotal);
  return charges;
}

void MemoryCharges::AddChanges(const MemoryHistory& history) {
  // Place by place first: there are far fewer of them than changes.
  struct Sum {
    MemorySum allocated;
    uint64_t high_bytes = 0;
  };
  std::vector<Sum> sums(history.places().size());
  std::vector<bool> has_changes(sums.size());
  for (const uint32_t i : history.Changes(process_)) {
    const format::MemoryChange& change = profile_.memory_changes[i];
    has_changes[history.PlaceOf(i)] = true;
    Sum& sum = sums[history.PlaceOf(i)];
    sum.allocated.Add(change.allocated);
    sum.high_bytes = std::max(sum.high_bytes, change.high_bytes);
  }
  profile::ElementCopies element_copies(profile_);
  for (size_t index = 0; index < sums.size(); ++index) {
    if (!has_changes[index]) continue;
    const Sum& sum = sums[index];
    const MemoryHistory::Place& place = history.places()[index];
    const bool copied = place.kind == format::MemoryKind::kCopied;
    const bool by_element = copied && element_copies.Contains(place.stack);
    ForEach(place.thread, place.stack, [&](MemoryAccount& account) {
      (copied ? account.stats.copied : account.stats.allocated[place.kind]).Add(sum.allocated);
      if (!copied) account.SawHigh(sum.high_bytes);
      if (by_element) account.stats.copied_by_element.Add(sum.allocated);
    });
  }
}

void MemoryCharges::AddSteps(const MemoryHistory& history) {
  const std::vector<MemoryHistory::Step>& steps = history.Steps(process_);
  std::unordered_map<uint32_t, uint64_t> live;
  std::vector<MemoryAccount*> moved;
  for (size_t i = 0; i < steps.size(); ++i) {
    const MemoryHistory::Step& step = steps[i];
    const MemoryHistory::Place& place = history.places()[step.place];
    const uint64_t before = std::exchange(live[step.place], step.live_bytes);
    ForEach(place.thread, place.stack, [&](MemoryAccount& account) {
      if (account.Move(step.live_bytes - before)) moved.push_back(&account);
    });
    if (i + 1 < steps.size() && steps[i + 1].time_ns == step.time_ns) continue;
    for (MemoryAccount* account : moved) account->Settle(step.time_ns, span_);
    moved.clear();
  }
}

void MemoryCharges::AddMoments(const MemoryHistory& history) {
  const MemoryMoment peak = FindPeak(profile_, history, process_);
  peak_ns_ = peak.time_ns;
  for (const MemoryHistory::Part& part : peak.parts)
    ForEach(part.place.thread, part.place.stack,
            [&](MemoryAccount& account) { account.stats.at_peak[part.place.kind].Add(part.live); });
  for (const MemoryHistory::Part& part : FindEnd(profile_, history, process_).parts)
    ForEach(part.place.thread, part.place.stack,
            [&](MemoryAccount& account) { account.stats.at_end[part.place.kind].Add(part.live); });
}

void MemoryCharges::SetWholeVariances() {
  for (const format::CounterInfo& counter : profile_.counters)
    if (counter.name == format::kPiecesFact && (!process_ || counter.process == *process_)) {
      const double allocated = accounts_[kTotal].stats.allocated.all().variance;
      const double copied = accounts_[kTotal].stats.copied.variance;
      for (MemoryAccount& account : accounts_) account.stats.SetWholeVariances(allocated, copied);
      return;
    }
}

void MemoryCharges::Close() {
  for (MemoryAccount& account : accounts_) account.Close(span_);
  SetWholeVariances();
  for (const auto& [key, row] : rows_)
    parts_.emplace(key, MemoryParts{std::move(accounts_[row + kSelf].stats),
                                    std::move(accounts_[row + kScoped].stats),
                                    std::move(accounts_[row + kTotalOfRow].stats)});
  charges_.clear();
}

}  // namespace pyrometer::analyze
