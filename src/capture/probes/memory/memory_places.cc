// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/memory_places.h"

#include <algorithm>
#include <utility>

namespace pyrometer::capture {

using format::MemoryAmount;
using format::MemoryKind;

MemoryPlace* MemoryPlaces::Find(format::ThreadId thread, format::StackId stack, MemoryKind kind) {
  const Key key(thread, stack, kind);
  if (const auto it = places_.find(key); it != places_.end()) return &it->second;
  if (places_.size() >= kMaxPlaces) return nullptr;
  MemoryPlace& place = places_[key];
  place.thread = thread;
  place.stack = stack;
  place.kind = kind;
  place.peak_number = peak_number_;  // nothing was live here then
  return &place;
}

void MemoryPlaces::Change(MemoryPlace& place) {
  if (!place.changed) changed_.push_back(&place);
  place.changed = true;
  if (place.peak_number == peak_number_) return;
  place.at_peak = place.live;
  place.peak_number = peak_number_;
}

void MemoryPlaces::CountAllocated(MemoryPlace& place, const MemoryAmount& amount) {
  Change(place);
  place.allocated += amount;
}

bool MemoryPlaces::TakeBack(MemoryPlace& place, uint64_t bytes) {
  if (place.allocated.bytes < bytes) return false;
  Change(place);
  place.allocated.bytes -= bytes;
  return true;
}

void MemoryPlaces::CountFreed(MemoryPlace& place, const MemoryAmount& amount) {
  Change(place);
  place.freed += amount;
}

void MemoryPlaces::Hold(MemoryPlace& place, const MemoryAmount& amount, uint64_t time_ns) {
  Change(place);
  place.live += amount;
  place.high_bytes = std::max(place.high_bytes, place.live.bytes);
  live_bytes_[static_cast<size_t>(place.kind)] += amount.bytes;
  all_live_bytes_ += amount.bytes;
  if (all_live_bytes_ <= peak_bytes_) return;
  peak_bytes_ = all_live_bytes_;
  peak_ns_ = time_ns;
  ++peak_number_;
}

void MemoryPlaces::Drop(MemoryPlace& place, const MemoryAmount& amount) {
  Change(place);
  place.live -= amount;
  live_bytes_[static_cast<size_t>(place.kind)] -= amount.bytes;
  all_live_bytes_ -= amount.bytes;
}

std::vector<format::MemoryChange> MemoryPlaces::TakeChanges(uint64_t time_ns) {
  const auto order = [](const MemoryPlace* place) {
    return Key(place->thread, place->stack, place->kind);
  };
  std::ranges::sort(changed_, {}, order);
  std::vector<format::MemoryChange> rows;
  rows.reserve(changed_.size());
  for (MemoryPlace* place : changed_) {
    rows.push_back({time_ns, place->thread, place->stack, place->kind,
                    std::exchange(place->allocated, {}), std::exchange(place->freed, {}),
                    place->high_bytes});
    place->changed = false;
  }
  changed_.clear();
  if (places_.size() >= sweep_at_) Sweep();
  return rows;
}

void MemoryPlaces::Sweep() {
  std::erase_if(places_, [this](const auto& entry) {
    const MemoryPlace& place = entry.second;
    return place.fresh == 0 && place.live == MemoryAmount() && AtPeak(place) == MemoryAmount();
  });
  sweep_at_ = std::clamp(2 * places_.size(), kMaxPlaces / 4, kMaxPlaces);
}

std::vector<format::LiveMemory> MemoryPlaces::LiveAtPeak() const {
  std::vector<format::LiveMemory> parts;
  for (const auto& [key, place] : places_)
    if (const MemoryAmount& amount = AtPeak(place); !(amount == MemoryAmount()))
      parts.push_back({place.thread, place.stack, place.kind, {}, amount});
  std::ranges::sort(parts, {}, [](const format::LiveMemory& part) {
    return Key(part.thread, part.stack, part.kind);
  });
  return parts;
}

}  // namespace pyrometer::capture
