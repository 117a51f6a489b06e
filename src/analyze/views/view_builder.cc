// SPDX-License-Identifier: Apache-2.0
#include "analyze/views/view_builder.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace pyrometer::analyze {
namespace {

// Hottest first; the rest of the tuple makes the order total.
auto HeatKey(const FileStats& file) {
  return std::make_tuple(~file.scoped.time_ns(), ~file.self.time_ns(), ~file.total.time_ns(),
                         ~file.memory.scoped().own_peak_bytes, std::string_view(file.path));
}
auto HeatKey(const FunctionStats& function) {
  return std::make_tuple(~function.self.time_ns(), ~function.total.time_ns(),
                         ~function.memory.self().own_peak_bytes, function.first_line,
                         std::string_view(function.name));
}
auto HeatKey(const NativeFunctionStats& native) {
  return std::make_tuple(~native.self.time_ns(), ~native.total.time_ns(),
                         std::string_view(native.name), std::string_view(native.module));
}

template <class T>
void SortByHeat(std::vector<T>& rows) {
  std::sort(rows.begin(), rows.end(),
            [](const T& a, const T& b) { return HeatKey(a) < HeatKey(b); });
}

}  // namespace

ViewBuilder::ViewBuilder(const profile::Profile& profile, const FrameTable& frames,
                         const StackWalk& walk, bool totals, bool profiled_only)
    : profile_(profile),
      frames_(frames),
      walk_(walk),
      totals_(totals),
      profiled_only_(profiled_only),
      files_(frames.files().size()),
      lines_(frames.lines().size()),
      functions_(frames.functions().size()),
      natives_(frames.natives().size()),
      spot_ns_(frames.spots().size()) {}

void ViewBuilder::Enter(format::StackId stack, bool has_own, const OwnTime& own) {
  if (depth_ == levels_.size()) levels_.emplace_back();
  Level& level = levels_[depth_++];
  level.time.Clear();
  level.ns = 0;
  level.self = level.scoped = level.line = kNone;
  if (stack != format::kEmptyStack) {
    const Level& caller = levels_[depth_ - 2];
    level.self = caller.self;
    level.scoped = caller.scoped;
    level.line = caller.line;
    const format::FrameId frame = profile_.stacks[stack.value].frame;
    if (frames_.IsPython(frame)) {
      EnterPython(frames_.SpotOf(frame), level);
    } else {
      for (const uint32_t native : frames_.NativesOf(frame)) ++natives_[native].on_path;
    }
  }
  if (!has_own) return;
  own_.Clear();
  own(stack, &own_);
  Charge(stack, level, own_);
}

void ViewBuilder::EnterPython(uint32_t spot_index, Level& level) {
  const FrameTable::Spot& spot = frames_.spots()[spot_index];
  ++lines_[spot.line].on_path;
  ++functions_[spot.function].on_path;
  ++files_[frames_.lines()[spot.line].file].on_path;
  const bool in_scope = frames_.InScope(spot);
  level.self = spot_index;
  if (in_scope) level.scoped = spot_index;
  if (profiled_only_ ? frames_.functions()[spot.function].profiled : in_scope)
    level.line = spot_index;
}

void ViewBuilder::Charge(format::StackId stack, Level& level, const Breakdown& time) {
  if (totals_) level.time.Add(time);
  level.ns += time[metric::Metric::kWall].ns;
  total_.Add(time);
  const auto rows_of = [&](uint32_t index) {
    const FrameTable::Spot& spot = frames_.spots()[index];
    return std::array{&lines_[spot.line], &functions_[spot.function],
                      &files_[frames_.lines()[spot.line].file]};
  };
  for (const uint32_t spot : {level.self, level.scoped, level.line})
    if (spot != kNone)
      for (Row* row : rows_of(spot)) row->seen = true;
  if (level.self == kNone) {
    no_python_.Add(time);
  } else {
    for (Row* row : rows_of(level.self)) row->self.Add(time);
  }
  if (level.scoped == kNone) {
    outside_.Add(time);
  } else {
    const auto [unused, function, file] = rows_of(level.scoped);
    function->scoped.Add(time);
    file->scoped.Add(time);
  }
  if (level.line != kNone) lines_[frames_.spots()[level.line].line].scoped.Add(time);
  if (stack == format::kEmptyStack) return;
  const format::FrameId frame = profile_.stacks[stack.value].frame;
  if (frames_.IsPython(frame)) return;
  const std::span<const uint32_t> natives = frames_.NativesOf(frame);
  natives_[natives.front()].self.Add(time);
  for (const uint32_t native : natives) natives_[native].seen = true;
}

void ViewBuilder::LeaveRow(Row& row, const Level& level) {
  if (--row.on_path != 0 || !totals_) return;
  row.seen = true;
  row.total.Add(level.time);
}

void ViewBuilder::Leave(format::StackId stack) {
  const Level& level = levels_[--depth_];
  if (stack == format::kEmptyStack) return;
  const format::FrameId frame = profile_.stacks[stack.value].frame;
  if (frames_.IsPython(frame)) {
    const uint32_t spot_index = frames_.SpotOf(frame);
    const FrameTable::Spot& spot = frames_.spots()[spot_index];
    spot_ns_[spot_index] += level.ns;
    LeaveRow(lines_[spot.line], level);
    LeaveRow(functions_[spot.function], level);
    LeaveRow(files_[frames_.lines()[spot.line].file], level);
  } else {
    for (const uint32_t native : frames_.NativesOf(frame)) LeaveRow(natives_[native], level);
  }
  Level& caller = levels_[depth_ - 1];
  caller.ns += level.ns;
  if (totals_) caller.time.Add(level.time);
}

// A line can run as part of several code objects (a lambda and its function);
// the one with most time names it.
std::vector<std::string> ViewBuilder::LineFunctions() const {
  std::vector<uint32_t> names(lines_.size(), kNone);  // functions
  std::vector<uint64_t> best(lines_.size(), 0);
  for (size_t i = 0; i < spot_ns_.size(); ++i) {
    const FrameTable::Spot& spot = frames_.spots()[i];
    if (spot_ns_[i] < best[spot.line] || !IsSeen(lines_[spot.line], LineMemory(spot.line)))
      continue;
    if (spot_ns_[i] == best[spot.line] && names[spot.line] != kNone) continue;
    best[spot.line] = spot_ns_[i];
    names[spot.line] = spot.function;
  }
  std::vector<std::string> texts(names.size());
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] != kNone) texts[i] = frames_.functions()[names[i]].name;
  return texts;
}

std::vector<bool> ViewBuilder::ChosenLines() const {
  std::vector<bool> chosen(lines_.size(), !profiled_only_);
  for (const FrameTable::Spot& spot : frames_.spots())
    if (frames_.functions()[spot.function].profiled) chosen[spot.line] = true;
  return chosen;
}

void ViewBuilder::FillFiles(View& view) {
  std::vector<FileStats> files(files_.size());
  std::vector<std::string> names = LineFunctions();
  const std::vector<bool> chosen = ChosenLines();
  for (size_t i = 0; i < lines_.size(); ++i) {
    Row& row = lines_[i];
    MemoryRow memory = LineMemory(i);
    if (!IsSeen(row, memory) || !chosen[i]) continue;
    const FrameTable::Line& line = frames_.lines()[i];
    files[line.file].lines.push_back({line.number, std::move(names[i]), std::move(row.self),
                                      std::move(row.scoped), std::move(row.total),
                                      std::move(memory)});
  }
  lines_ = {};
  for (size_t i = 0; i < functions_.size(); ++i) {
    Row& row = functions_[i];
    MemoryRow memory;
    if (memory_ != nullptr) memory = memory_->Function(static_cast<uint32_t>(i));
    if (!IsSeen(row, memory)) continue;
    const FrameTable::Function& function = frames_.functions()[i];
    files[function.file].functions.push_back({function.name, function.first_line,
                                              std::move(row.self), std::move(row.scoped),
                                              std::move(row.total), std::move(memory)});
  }
  functions_ = {};
  for (size_t i = 0; i < files_.size(); ++i) {
    Row& row = files_[i];
    MemoryRow memory;
    if (memory_ != nullptr) memory = memory_->File(static_cast<uint32_t>(i));
    if (!IsSeen(row, memory)) continue;
    FileStats& file = files[i];
    file.path = frames_.files()[i].path;
    file.in_scope = frames_.files()[i].in_scope;
    file.self = std::move(row.self);
    file.scoped = std::move(row.scoped);
    file.total = std::move(row.total);
    file.memory = std::move(memory);
    std::sort(file.lines.begin(), file.lines.end(),
              [](const LineStats& a, const LineStats& b) { return a.line < b.line; });
    SortByHeat(file.functions);
    view.files.push_back(std::move(file));
  }
  SortByHeat(view.files);
}

void ViewBuilder::FillNatives(View& view) {
  for (size_t i = 0; i < natives_.size(); ++i) {
    Row& row = natives_[i];
    if (!row.seen) continue;
    const FrameTable::Native& native = frames_.natives()[i];
    view.native_functions.push_back(
        {native.name, native.module, std::move(row.self), std::move(row.total)});
  }
  SortByHeat(view.native_functions);
}

void ViewBuilder::FillMemory(View& view) const {
  ViewMemory& memory = view.memory;
  memory.recorded = true;
  memory.total = memory_->total();
  memory.without_python = memory_->without_python();
  memory.outside = memory_->outside();
  memory.peak_ns = memory_->peak_ns();
  for (size_t file = 0; file < view.files.size(); ++file) {
    for (size_t line = 0; line < view.files[file].lines.size(); ++line) {
      const MemoryStats& stats = view.files[file].lines[line].memory.scoped();
      if (!stats.allocated.empty() || !stats.at_peak.empty()) memory.lines.push_back({file, line});
      if (!stats.copied.empty()) memory.copies.push_back({file, line});
    }
  }
  // Files and lines are in the report's order where they are equal.
  const auto sort = [&](std::vector<LineRef>& lines, auto key) {
    std::stable_sort(lines.begin(), lines.end(), [&](const LineRef& a, const LineRef& b) {
      return key(view.Line(b).memory.scoped()) < key(view.Line(a).memory.scoped());
    });
  };
  sort(memory.lines, [](const MemoryStats& stats) {
    return std::tuple(stats.at_peak.bytes(), stats.own_peak_bytes, stats.allocated.bytes());
  });
  sort(memory.copies, [](const MemoryStats& stats) { return stats.copied.bytes; });
}

void ViewBuilder::Charge(const std::vector<bool>& used, const OwnTime& own) {
  walk_.Walk(
      used, [&](format::StackId stack) { Enter(stack, used[stack.value], own); },
      [&](format::StackId stack) { Leave(stack); });
}

View ViewBuilder::Finish(const MemoryCharges* memory) {
  memory_ = memory;
  View view;
  FillFiles(view);
  if (memory_ != nullptr) FillMemory(view);
  FillNatives(view);
  view.total = std::move(total_);
  view.no_python = std::move(no_python_);
  view.outside = std::move(outside_);
  return view;
}

}  // namespace pyrometer::analyze
