// SPDX-License-Identifier: Apache-2.0
#include "profile/testing/check_invariants.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pyrometer::profile::testing {
namespace {

template <class Id, class Table>
bool Inside(Id id, const Table& table) {
  return id.value < table.size();
}

bool IsSound(const format::FrameInfo& frame, const Profile& p) {
  switch (frame.kind) {
    case format::FrameKind::kPython:
      return Inside(frame.code, p.codes);
    case format::FrameKind::kNative:
      return Inside(frame.module, p.modules);
    case format::FrameKind::kSpecial:
      return Inside(frame.name, p.strings);
  }
  return false;
}

bool AreSound(const SampleColumns& s, const Profile& p) {
  const size_t n = s.size();
  for (const size_t size :
       {s.thread.size(), s.stack.size(), s.activity.size(), s.weight_ns.size(), s.count.size()}) {
    if (size != n) return false;
  }
  for (size_t i = 0; i < n; ++i) {
    if (!Inside(s.thread[i], p.threads) || !Inside(s.stack[i], p.stacks)) return false;
    if (static_cast<size_t>(s.activity[i]) >= format::kActivityCount) return false;
    if (s.count[i] == 0 || ((s.time_ns[i] | s.weight_ns[i]) >> 61) != 0) return false;
  }
  return true;
}

bool IsSound(const format::SymbolInfo& symbol, const Profile& p) {
  return Inside(symbol.frame, p.frames) && std::ranges::all_of(symbol.lines, [&](const auto& line) {
           return Inside(line.function, p.strings) && Inside(line.file, p.strings);
         });
}

bool IsSound(const Thread& thread, const Profile& p) {
  return Inside(thread.info.process, p.processes) &&
         (!thread.end.has_value() || Inside(thread.end->thread, p.threads));
}

bool IsSound(const Task& task, const Profile& p) {
  return Inside(task.info.process, p.processes) && Inside(task.info.coroutine, p.codes) &&
         Inside(task.name().text, p.strings) && Inside(task.origin, p.stacks);
}

bool StacksAreSound(const Profile& p) {
  for (size_t i = 1; i < p.stacks.size(); ++i) {
    if (p.stacks[i].parent.value >= i || !Inside(p.stacks[i].frame, p.frames)) return false;
  }
  return !p.stacks.empty();
}

bool CountersAreUnique(const Profile& p) {
  std::set<std::pair<format::ProcessId, metric::CounterKey>> seen;
  return std::ranges::all_of(p.counters, [&](const auto& c) {
    return Inside(c.process, p.processes) && seen.emplace(c.process, c.key).second;
  });
}

bool SourcesAreUnique(const Profile& p) {
  std::set<format::StringId> seen;
  return std::ranges::all_of(p.sources, [&](const auto& source) {
    return Inside(source.path, p.strings) && seen.insert(source.path).second;
  });
}

bool GilWaitsAreSound(const Profile& p) {
  std::set<std::pair<format::ThreadId, std::optional<format::ThreadId>>> seen;
  return std::ranges::all_of(p.gil_waits, [&](const auto& w) {
    const auto process_of = [&](format::ThreadId id) { return p.threads[id.value].info.process; };
    return Inside(w.waiter, p.threads) &&
           (!w.holder ||
            (Inside(*w.holder, p.threads) && process_of(*w.holder) == process_of(w.waiter))) &&
           seen.emplace(w.waiter, w.holder).second;
  });
}

bool IsAmount(uint64_t value) { return value >> 61 == 0; }

bool IsSound(const format::MemoryAmount& amount) {
  return IsAmount(amount.bytes) && IsAmount(amount.blocks) && IsAmount(amount.samples) &&
         IsAmount(amount.variance_kib2);
}

bool IsSound(const format::MemoryChange& change, const Profile& p) {
  return Inside(change.thread, p.threads) && Inside(change.stack, p.stacks) &&
         static_cast<size_t>(change.kind) < format::kMemoryKindCount && IsSound(change.allocated) &&
         IsSound(change.freed) && IsAmount(change.time_ns) && IsAmount(change.high_bytes);
}

bool IsSound(const format::MemoryLevel& level, const Profile& p) {
  return Inside(level.process, p.processes) && IsAmount(level.time_ns) &&
         IsAmount(level.rss_bytes) && IsAmount(level.pss_bytes) && IsAmount(level.python_bytes) &&
         IsAmount(level.native_bytes) && IsAmount(level.mapped_bytes) &&
         IsAmount(level.arena_bytes) && IsAmount(level.small_bytes);
}

// Of MemoryPeak and MemorySurvivors: one for each process, of its threads only.
template <class Live>
bool AreSound(const std::vector<Live>& rows, const Profile& p) {
  std::set<format::ProcessId> seen;
  return std::ranges::all_of(rows, [&](const Live& row) {
    return Inside(row.process, p.processes) && seen.insert(row.process).second &&
           IsAmount(row.time_ns) && std::ranges::all_of(row.parts, [&](const auto& part) {
             return Inside(part.thread, p.threads) &&
                    p.threads[part.thread.value].info.process == row.process &&
                    Inside(part.stack, p.stacks) && Inside(part.type, p.strings) &&
                    part.kind < format::MemoryKind::kCopied && IsSound(part.amount);
           });
  });
}

}  // namespace

std::string BrokenInvariant(const Profile& p) {
  const auto all = [](const auto& table, auto check) { return std::ranges::all_of(table, check); };
  if (p.strings.empty() || !p.strings[0].empty()) return "strings[0]";
  if (!all(p.threads, [&](const auto& t) { return IsSound(t, p); })) return "threads";
  if (!all(p.codes, [&](const auto& c) {
        return Inside(c.filename, p.strings) && Inside(c.qualname, p.strings);
      })) {
    return "codes";
  }
  if (!all(p.modules, [&](const auto& m) { return Inside(m.path, p.strings); })) return "modules";
  if (!all(p.frames, [&](const auto& f) { return IsSound(f, p); })) return "frames";
  if (!StacksAreSound(p)) return "stacks";
  if (!AreSound(p.samples, p)) return "samples";
  if (!all(p.symbols, [&](const auto& s) { return IsSound(s, p); })) return "symbols";
  if (std::ranges::adjacent_find(p.symbols, std::ranges::greater_equal{},
                                 &format::SymbolInfo::frame) != p.symbols.end()) {
    return "symbols are not sorted by frame";
  }
  if (!CountersAreUnique(p)) return "counters";
  if (!SourcesAreUnique(p)) return "sources";
  if (!GilWaitsAreSound(p)) return "gil waits";
  if (!all(p.regions, [&](const auto& r) {
        return Inside(r.thread, p.threads) && Inside(r.name, p.strings);
      })) {
    return "regions";
  }
  if (!all(p.profiled_functions, [&](const auto& f) { return Inside(f.code, p.codes); })) {
    return "profiled functions";
  }
  if (!all(p.tasks, [&](const auto& t) { return IsSound(t, p); })) return "tasks";
  if (!all(p.awaits,
           [&](const auto& a) { return Inside(a.task, p.tasks) && Inside(a.stack, p.stacks); })) {
    return "awaits";
  }
  if (!all(p.loop_blocks, [&](const auto& b) {
        return Inside(b.thread, p.threads) && Inside(b.stack, p.stacks) && b.count != 0;
      })) {
    return "loop blocks";
  }
  if (!all(p.memory_changes, [&](const auto& c) { return IsSound(c, p); })) return "memory changes";
  if (!all(p.memory_levels, [&](const auto& l) { return IsSound(l, p); })) return "memory levels";
  if (!all(p.amounts, [&](const auto& a) {
        return metric::IsDeclared(a.metric) &&
               static_cast<size_t>(a.metric) < metric::kCount + p.metrics.declared().size() &&
               Inside(a.thread, p.threads) && Inside(a.stack, p.stacks) && IsAmount(a.value) &&
               IsAmount(a.count) && IsAmount(a.time_ns.value_or(0));
      })) {
    return "amounts";
  }
  if (!AreSound(p.memory_peaks, p)) return "memory peaks";
  if (!AreSound(p.memory_survivors, p)) return "memory survivors";
  return "";
}

}  // namespace pyrometer::profile::testing
