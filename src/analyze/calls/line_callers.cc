// SPDX-License-Identifier: Apache-2.0
#include "analyze/calls/line_callers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "analyze/code/places.h"

namespace pyrometer::analyze {
namespace {

using Chain = std::vector<uint32_t>;  // spots, innermost first
// More are no help, and stacks can be as deep as somebody likes.
constexpr size_t kMaxCallers = 50;

// The line that a stack is charged to and its callers in scope.
std::optional<std::pair<uint32_t, Chain>> ChargedLine(const profile::Profile& profile,
                                                      const FrameTable& frames,
                                                      format::StackId stack, bool profiled_only) {
  std::optional<uint32_t> line;
  std::optional<uint32_t> inner;  // function of the frame before
  Chain callers;
  for (; stack != format::kEmptyStack && callers.size() < kMaxCallers;
       stack = profile.stacks[stack.value].parent) {
    const format::FrameId frame = profile.stacks[stack.value].frame;
    if (!frames.IsPython(frame)) continue;
    const uint32_t index = frames.SpotOf(frame);
    const FrameTable::Spot& spot = frames.spots()[index];
    const bool in_scope = frames.InScope(spot);
    if (!line) {
      if (profiled_only ? !frames.functions()[spot.function].profiled : !in_scope) continue;
      line = spot.line;
    } else if (!in_scope) {
      continue;
    } else if (inner != spot.function) {
      callers.push_back(index);
    }
    inner = spot.function;
  }
  if (!line) return std::nullopt;
  return std::pair(*line, std::move(callers));
}

}  // namespace

std::vector<LineCallers> FindCallers(const profile::Profile& profile, const FrameTable& frames,
                                     std::span<const StackAmount> amounts, const View& view,
                                     std::span<const LineRef> lines, bool profiled_only) {
  std::map<std::pair<std::string_view, uint32_t>, size_t> wanted;
  for (size_t i = 0; i < lines.size(); ++i)
    wanted[{view.files[lines[i].file].path, view.Line(lines[i]).line}] = i;
  std::vector<std::map<Chain, uint64_t>> chains(lines.size());
  for (const StackAmount& amount : amounts) {
    auto charged = ChargedLine(profile, frames, amount.stack, profiled_only);
    if (!charged) continue;
    const FrameTable::Line& line = frames.lines()[charged->first];
    const auto it = wanted.find({frames.files()[line.file].path, line.number});
    if (it != wanted.end()) chains[it->second][std::move(charged->second)] += amount.amount.value;
  }
  std::vector<LineCallers> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    LineCallers callers{lines[i], chains[i].size(), {}, 0};
    const Chain* best = nullptr;
    for (const auto& [chain, value] : chains[i])
      if (best == nullptr || value > callers.value) {
        best = &chain;
        callers.value = value;
      }
    if (best != nullptr)
      for (auto spot = best->rbegin(); spot != best->rend(); ++spot)
        callers.places.push_back(PlaceOf(frames, *spot));
    found.push_back(std::move(callers));
  }
  return found;
}

}  // namespace pyrometer::analyze
