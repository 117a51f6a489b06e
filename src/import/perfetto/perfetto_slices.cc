// SPDX-License-Identifier: Apache-2.0
#include "import/perfetto/perfetto_slices.h"

#include <algorithm>
#include <tuple>

namespace pyrometer::import_ {
namespace {

constexpr size_t kEntryBytes = 200;
// Tracks within tracks, before it must be a circle.
constexpr int kMaxParents = 100;

}  // namespace

void PerfettoSlices::AddTrack(const Track& track) {
  tracks_[track.uuid] = track;
  maker_.Charge(track.name.size() + kEntryBytes);
}

void PerfettoSlices::AddEvent(uint64_t track, Kind kind, uint64_t time_ns, std::string_view name) {
  const auto [number, fresh] = numbers_.try_emplace(track, static_cast<uint32_t>(uuids_.size()));
  if (fresh) {
    uuids_.push_back(track);
    maker_.Charge(kEntryBytes);
  }
  Event event{.time_ns = time_ns, .track = number->second};
  if (kind == Kind::kBegin) {
    const auto [it, is_new] =
        name_numbers_.try_emplace(std::string(name), static_cast<uint32_t>(names_.size()));
    if (is_new) {
      names_.emplace_back(name);
      maker_.Charge(2 * name.size() + kEntryBytes);
    }
    event.name = it->second + 1;
  }
  events_.push_back(event);
  maker_.Charge(sizeof(Event));
  first_ns_ = std::min(first_ns_, time_ns);
}

// Slices of a track nest, and those of several tracks need not; so each track that is not
// that of a thread counts as one.
format::ThreadId PerfettoSlices::ThreadOf(uint64_t uuid) {
  const auto own = tracks_.find(uuid);
  if (own == tracks_.end()) return maker_.Thread(maker_.Process(0), uuid);
  if (own->second.is_thread) {
    const format::ThreadId thread = maker_.Thread(maker_.Process(own->second.pid), own->second.tid);
    if (!own->second.name.empty()) maker_.NameThread(thread, own->second.name);
    return thread;
  }
  uint64_t pid = own->second.pid;
  uint64_t parent = own->second.parent;
  for (int i = 0; i < kMaxParents && parent != 0 && pid == 0; ++i) {
    const auto above = tracks_.find(parent);
    if (above == tracks_.end()) break;
    pid = above->second.pid;
    parent = above->second.parent;
  }
  const format::ThreadId thread = maker_.Thread(maker_.Process(pid), uuid);
  maker_.NameThread(thread, own->second.name);
  return thread;
}

void PerfettoSlices::WriteTrack(std::vector<Event>::const_iterator begin,
                                std::vector<Event>::const_iterator end, uint64_t start_ns,
                                bool as_regions) {
  struct Open {
    uint32_t name = 0;
    uint64_t begin_ns = 0;
    format::StackId stack{};
  };
  std::vector<Open> open;
  format::ThreadId thread = ThreadOf(uuids_[begin->track]);
  if (as_regions) {
    // A slice belongs to the thread, whichever of its tracks shows it.
    const auto own = tracks_.find(uuids_[begin->track]);
    const auto above = own == tracks_.end() ? own : tracks_.find(own->second.parent);
    if (above != tracks_.end() && above->second.is_thread) thread = ThreadOf(above->first);
  }
  uint64_t last_ns = 0;
  for (auto event = begin; event != end && !maker_.full(); ++event) {
    const uint64_t now_ns = event->time_ns - std::min(start_ns, event->time_ns);
    if (!as_regions && !open.empty() && now_ns > last_ns)
      maker_.AddTime(thread, open.back().stack, {.weight_ns = now_ns - last_ns, .time_ns = now_ns});
    last_ns = now_ns;
    if (event->name != 0) {
      const format::StackId caller = open.empty() ? format::kEmptyStack : open.back().stack;
      const format::StackId stack =
          as_regions ? caller
                     : maker_.Stack(caller, maker_.Frame({.name = names_[event->name - 1]}));
      open.push_back({event->name - 1, now_ns, stack});
    } else if (open.empty()) {
      maker_.AddLoss("ends of slices that have no begin");
    } else {
      const Open ended = open.back();
      open.pop_back();
      if (as_regions)
        maker_.AddRegion(thread, names_[ended.name], ended.begin_ns, now_ns - ended.begin_ns);
    }
  }
  if (!open.empty()) maker_.AddLoss("slices that have no end", open.size());
}

void PerfettoSlices::Write(uint64_t start_ns, bool as_regions) {
  std::ranges::stable_sort(
      events_, {}, [](const Event& event) { return std::tuple(event.track, event.time_ns); });
  for (auto begin = events_.cbegin(); begin != events_.cend();) {
    const auto end = std::find_if(begin, events_.cend(),
                                  [&](const Event& event) { return event.track != begin->track; });
    WriteTrack(begin, end, start_ns, as_regions);
    begin = end;
  }
}

}  // namespace pyrometer::import_
