// SPDX-License-Identifier: Apache-2.0
#include "analyze/memory/memory_charges.h"

#include <algorithm>
#include <utility>

#include "analyze/memory/memory_moments.h"
#include "profile/element_copies.h"

namespace pyrometer::analyze {

MemoryCharges::MemoryCharges(const profile::Profile& profile, const FrameTable& frames,
                             const MemoryHistory& history, bool totals, bool profiled_only)
    : profile_(profile),
      frames_(frames),
      history_(history),
      totals_(totals),
      profiled_only_(profiled_only),
      threads_(profile.threads.size()),
      thread_accounts_(profile.threads.size(), kNone) {}

void MemoryCharges::Charge(std::optional<format::ProcessId> process, const Span& span, Rows rows) {
  Forget();
  process_ = process;
  span_ = span;
  rows_wanted_ = rows;
  if (rows == Rows::kAll && row_of_.empty()) {
    row_of_.assign(FileKey(static_cast<uint32_t>(frames_.files().size())), kNone);
    node_of_.assign(std::max<size_t>(profile_.stacks.size(), 1), kNone);
  }
  accounts_.emplace_back(total_, true);
  accounts_.emplace_back(without_python_, false);
  accounts_.emplace_back(outside_, true);
  AddChanges();
  AddSteps();
  AddMoments();
  for (MemoryAccount& account : accounts_) account.Close(span_);
  SetWholeVariances();
  // Of what comes later, nobody asks for these.
  for (const format::StackId stack : stacks_) node_of_[stack.value] = kNone;
  accounts_ = {};
  row_accounts_ = {};
  stacks_ = {};
  nodes_ = {};
}

void MemoryCharges::Forget() {
  total_ = without_python_ = outside_ = {};
  for (const uint32_t thread : charged_threads_) {
    threads_[thread] = {};
    thread_accounts_[thread] = kNone;
  }
  for (const uint32_t key : charged_keys_) row_of_[key] = kNone;
  charged_threads_.clear();
  charged_keys_.clear();
  rows_.clear();
}

const MemoryRow& MemoryCharges::RowOf(uint32_t key) const {
  static const MemoryRow kNothing;
  const uint32_t row = row_of_.empty() ? kNone : row_of_[key];
  return row == kNone ? kNothing : rows_[row];
}

std::array<uint32_t, 3> MemoryCharges::KeysOf(uint32_t spot_index) const {
  const FrameTable::Spot& spot = frames_.spots()[spot_index];
  return {LineKey(spot.line), FunctionKey(spot.function), FileKey(frames_.lines()[spot.line].file)};
}

uint32_t MemoryCharges::AccountOf(uint32_t key, MemoryRow::Part part) {
  uint32_t& row = row_of_[key];
  if (row == kNone) {
    row = static_cast<uint32_t>(rows_.size());
    rows_.emplace_back();
    row_accounts_.push_back({kNone, kNone, kNone});
    charged_keys_.push_back(key);
  }
  uint32_t& account = row_accounts_[row][part];
  if (account == kNone) {
    account = static_cast<uint32_t>(accounts_.size());
    accounts_.emplace_back(rows_[row].At(part), part == MemoryRow::kScoped);
  }
  return account;
}

uint32_t MemoryCharges::AccountOf(format::ThreadId thread) {
  uint32_t& account = thread_accounts_[thread.value];
  if (account == kNone) {
    account = static_cast<uint32_t>(accounts_.size());
    accounts_.emplace_back(threads_[thread.value], false);
    charged_threads_.push_back(thread.value);
  }
  return account;
}

uint32_t MemoryCharges::NodeOf(format::StackId stack) {
  // From the first caller that has a node back to the stack itself.
  std::vector<format::StackId> missing;
  for (; node_of_[stack.value] == kNone; stack = profile_.stacks[stack.value].parent) {
    missing.push_back(stack);
    if (stack == format::kEmptyStack) break;
  }
  uint32_t node =
      missing.empty() || missing.back() != format::kEmptyStack ? node_of_[stack.value] : kNone;
  for (; !missing.empty(); missing.pop_back()) {
    nodes_.push_back(MakeNode(missing.back(), node));
    stacks_.push_back(missing.back());
    node = node_of_[missing.back().value] = static_cast<uint32_t>(nodes_.size() - 1);
  }
  return node;
}

MemoryCharges::Node MemoryCharges::MakeNode(format::StackId stack, uint32_t caller) {
  if (caller == kNone) return {};
  Node node = nodes_[caller];
  const bool in_totals = std::ranges::any_of(node.totals, [](uint32_t a) { return a != kNone; });
  if (in_totals) {
    node.totals.fill(kNone);
    node.caller = caller;
  }
  const format::FrameId frame = profile_.stacks[stack.value].frame;
  if (!frames_.IsPython(frame)) return node;
  const uint32_t spot_index = frames_.SpotOf(frame);
  node.spots.Enter(frames_, spot_index, profiled_only_);
  if (!totals_) return node;
  const std::array<uint32_t, 3> keys = KeysOf(spot_index);
  for (size_t i = 0; i < keys.size(); ++i) {
    const uint32_t account = AccountOf(keys[i], MemoryRow::kTotal);
    if (!IsInTotal(node.caller, account)) node.totals[i] = account;
  }
  return node;
}

bool MemoryCharges::IsInTotal(uint32_t node, uint32_t account) const {
  for (; node != kNone; node = nodes_[node].caller)
    if (std::ranges::find(nodes_[node].totals, account) != nodes_[node].totals.end()) return true;
  return false;
}

template <class Use>
void MemoryCharges::ForEach(format::ThreadId thread, format::StackId stack, Use use) {
  use(accounts_[kWhole]);
  use(accounts_[AccountOf(thread)]);
  if (rows_wanted_ == Rows::kAll) ForEachRow(NodeOf(stack), use);
}

template <class Use>
void MemoryCharges::ForEachRow(uint32_t index, Use use) {
  const ChargedSpots spots = nodes_[index].spots;
  if (!spots.self) {
    use(accounts_[kWithoutPython]);
  } else {
    for (const uint32_t key : KeysOf(*spots.self)) use(accounts_[AccountOf(key, MemoryRow::kSelf)]);
  }
  if (!spots.scoped) {
    use(accounts_[kOutside]);
  } else {
    const auto [line, function, file] = KeysOf(*spots.scoped);
    use(accounts_[AccountOf(function, MemoryRow::kScoped)]);
    use(accounts_[AccountOf(file, MemoryRow::kScoped)]);
  }
  if (spots.line) use(accounts_[AccountOf(KeysOf(*spots.line)[0], MemoryRow::kScoped)]);
  for (; index != kNone; index = nodes_[index].caller)
    for (const uint32_t account : nodes_[index].totals)
      if (account != kNone) use(accounts_[account]);
}

void MemoryCharges::AddChanges() {
  // Place by place first: there are far fewer of them than changes.
  struct Sum {
    MemorySum allocated;
    uint64_t high_bytes = 0;
  };
  const std::span<const uint32_t> places = history_.Places(process_);
  std::vector<Sum> sums(places.size());
  for (const uint32_t i : history_.Changes(process_)) {
    const format::MemoryChange& change = profile_.memory_changes[i];
    Sum& sum = sums[history_.RankOf(history_.PlaceOf(i), process_)];
    sum.allocated.Add(change.allocated);
    sum.high_bytes = std::max(sum.high_bytes, change.high_bytes);
  }
  profile::ElementCopies element_copies(profile_);
  for (size_t rank = 0; rank < sums.size(); ++rank) {
    const Sum& sum = sums[rank];
    const MemoryHistory::Place& place = history_.places()[places[rank]];
    const bool copied = place.kind == format::MemoryKind::kCopied;
    const bool by_element = copied && element_copies.Contains(place.stack);
    ForEach(place.thread, place.stack, [&](MemoryAccount& account) {
      MemoryStats& stats = account.stats();
      (copied ? stats.copied : stats.allocated[place.kind]).Add(sum.allocated);
      if (!copied) account.SawHigh(sum.high_bytes);
      if (by_element) stats.copied_by_element.Add(sum.allocated);
    });
  }
}

void MemoryCharges::AddSteps() {
  const std::vector<MemoryHistory::Step>& steps = history_.Steps(process_);
  std::vector<uint64_t> live(history_.Places(process_).size());
  std::vector<uint32_t> moved;  // accounts
  for (size_t i = 0; i < steps.size(); ++i) {
    const MemoryHistory::Step& step = steps[i];
    const MemoryHistory::Place& place = history_.places()[step.place];
    const uint64_t before =
        std::exchange(live[history_.RankOf(step.place, process_)], step.live_bytes);
    // Accounts are opened by AddChanges: of these stacks, none is new.
    ForEach(place.thread, place.stack, [&](MemoryAccount& account) {
      if (account.Move(step.live_bytes - before))
        moved.push_back(static_cast<uint32_t>(&account - accounts_.data()));
    });
    if (i + 1 < steps.size() && steps[i + 1].time_ns == step.time_ns) continue;
    for (const uint32_t account : moved) accounts_[account].Settle(step.time_ns, span_);
    moved.clear();
  }
}

void MemoryCharges::AddMoments() {
  const MemoryMoment peak = FindPeak(profile_, history_, process_);
  peak_ns_ = peak.time_ns;
  for (const auto& [place, live] : peak.parts)
    ForEach(place.thread, place.stack,
            [&](MemoryAccount& account) { account.stats().at_peak[place.kind].Add(live); });
  for (const auto& [place, live] : FindEnd(profile_, history_, process_).parts)
    ForEach(place.thread, place.stack,
            [&](MemoryAccount& account) { account.stats().at_end[place.kind].Add(live); });
}

void MemoryCharges::SetWholeVariances() {
  if (!history_.InPieces(process_)) return;
  const double allocated = total_.allocated.all().variance, copied = total_.copied.variance;
  for (MemoryAccount& account : accounts_) account.stats().SetWholeVariances(allocated, copied);
}

bool IsSampledByPieces(const profile::Profile& profile) {
  return std::ranges::any_of(profile.counters, [](const profile::Counter& counter) {
    return counter.Is(metric::Counter::kMemoryByPieces);
  });
}

}  // namespace pyrometer::analyze
