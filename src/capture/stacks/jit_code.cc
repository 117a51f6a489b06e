// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/jit_code.h"

#include <time.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "base/clock.h"

namespace pyrometer::capture {
namespace {

constexpr uint64_t kMapsPeriodNs = 20'000'000;
constexpr uint64_t kCheckPeriodNs = 50'000'000;
// The time between checks, in multiples of what the last one took.
constexpr uint64_t kIdleFactor = 50;
constexpr int kMaxTries = 4;
// Bounds what a program can make the collector keep.
constexpr size_t kMaxKnown = 1 << 20;

constexpr char kUnnamed[] = "<JIT code>";
constexpr char kUnknown[] = "<unknown native code>";

}  // namespace

JitCode::JitCode(pid_t pid, uint64_t start_unix_ns, StackTable& stacks)
    : pid_(pid), stacks_(stacks), perf_(pid, start_unix_ns), list_(pid) {}

bool JitCode::Covered(uint64_t pc) const {
  const auto after = std::ranges::upper_bound(maps_, pc, {}, &os::ExecutableMap::start);
  if (after == maps_.begin()) return false;
  const os::ExecutableMap& map = *std::prev(after);
  return map.generated && pc < map.end;
}

bool JitCode::Contains(uint64_t pc, uint64_t now_ns) {
  if (Covered(pc)) return true;
  ReadMaps(now_ns);
  return Covered(pc);
}

void JitCode::ReadMaps(uint64_t now_ns) {
  if (now_ns < maps_due_ns_) return;
  maps_due_ns_ = now_ns + kMapsPeriodNs;
  // Of a process that is gone, what was known last still holds.
  if (std::vector<os::ExecutableMap> maps = os::ReadExecutableMaps(pid_); !maps.empty())
    maps_ = std::move(maps);
}

std::optional<format::FrameId> JitCode::FrameAt(uint64_t pc, uint64_t now_ns) {
  auto it = known_.find(pc);
  if (it == known_.end()) perf_.Update();
  const std::string* name = perf_.Find(pc);
  if (name != nullptr && name->starts_with("py::")) return std::nullopt;
  // Memory is used again, for other code.
  if (it != known_.end() && name != nullptr && it->second.perf_name != *name) {
    known_.erase(it);
    it = known_.end();
  }
  if (it != known_.end()) return it->second.frame;
  if ((name == nullptr && !Contains(pc, now_ns)) || known_.size() >= kMaxKnown)
    return stacks_.SpecialFrame(kUnknown);
  const format::FrameId frame = stacks_.JitFrame(pc);
  known_.emplace(pc, Known{frame, name != nullptr ? *name : ""});
  stacks_.Name({frame, {{name != nullptr ? *name : kUnnamed, "", 0}}});
  if (name == nullptr) wanted_.emplace(pc, 0);
  return frame;
}

void JitCode::Check(uint64_t now_ns) {
  if (wanted_.empty() || now_ns < check_due_ns_) return;
  const uint64_t begin_ns = base::NowNs(CLOCK_THREAD_CPUTIME_ID);
  NameFrames();
  const uint64_t cost_ns = base::NowNs(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
  check_due_ns_ = now_ns + std::max(kCheckPeriodNs, kIdleFactor * cost_ns);
}

void JitCode::NameFrames() {
  if (std::vector<os::ExecutableMap> maps = os::ReadExecutableMaps(pid_); !maps.empty())
    maps_ = std::move(maps);
  for (const std::unique_ptr<symbolize::JitImage>& image : list_.Update(maps_))
    std::erase_if(known_, [&](const auto& entry) { return image->Contains(entry.first); });
  for (auto it = wanted_.begin(); it != wanted_.end();) {
    const auto known = known_.find(it->first);
    std::vector<symbolize::SymbolLine> lines;
    if (known != known_.end()) lines = list_.Lookup(it->first);
    const bool found = !lines.empty();
    if (found) stacks_.Name({known->second.frame, std::move(lines)});
    const bool done = found || known == known_.end() || ++it->second >= kMaxTries;
    it = done ? wanted_.erase(it) : std::next(it);
  }
}

}  // namespace pyrometer::capture
