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

const std::vector<uint32_t>& ViewBuilder::Rows::Met() {
  std::ranges::sort(met_);
  for (uint32_t place = 0; place < met_.size(); ++place) rows_[met_[place]].met_place = place;
  return met_;
}

void ViewBuilder::Rows::Forget() {
  for (const uint32_t i : met_) rows_[i] = {};
  met_.clear();
}

ViewBuilder::ViewBuilder(const profile::Profile& profile, const FrameTable& frames, bool totals,
                         bool profiled_only)
    : profile_(profile),
      frames_(frames),
      totals_(totals),
      profiled_only_(profiled_only),
      first_function_(frames.lines().size()),
      chosen_(frames.lines().size(), !profiled_only),
      files_(frames.files().size()),
      lines_(frames.lines().size()),
      functions_(frames.functions().size()),
      natives_(frames.natives().size()),
      spot_ns_(frames.spots().size()) {
  for (size_t i = frames.spots().size(); i-- > 0;) {
    const FrameTable::Spot& spot = frames.spots()[i];
    first_function_[spot.line] = spot.function;
    if (frames.functions()[spot.function].profiled) chosen_[spot.line] = true;
  }
}

void ViewBuilder::Enter(format::StackId stack) {
  if (depth_ == levels_.size()) levels_.emplace_back();
  Level& level = levels_[depth_++];
  level.time.Clear();
  level.ns = 0;
  if (stack == format::kEmptyStack) {
    level.spots = {};
    return;
  }
  level.spots = levels_[depth_ - 2].spots;
  const format::FrameId frame = profile_.stacks[stack.value].frame;
  if (frames_.IsPython(frame)) {
    EnterPython(frames_.SpotOf(frame), level);
  } else {
    for (const uint32_t native : frames_.NativesOf(frame)) ++natives_.Meet(native).on_path;
  }
}

void ViewBuilder::EnterPython(uint32_t spot_index, Level& level) {
  const FrameTable::Spot& spot = frames_.spots()[spot_index];
  ++lines_.Meet(spot.line).on_path;
  ++functions_.Meet(spot.function).on_path;
  ++files_.Meet(frames_.lines()[spot.line].file).on_path;
  level.spots.Enter(frames_, spot_index, profiled_only_);
}

void ViewBuilder::Charge(format::StackId stack, Level& level, const Breakdown& time) {
  if (totals_) level.time.Add(time);
  level.ns += time[metric::Metric::kWall].ns;
  total_.Add(time);
  const auto rows_of = [&](OptionalSpot index) {
    const FrameTable::Spot& spot = frames_.spots()[*index];
    return std::array{&lines_[spot.line], &functions_[spot.function],
                      &files_[frames_.lines()[spot.line].file]};
  };
  const auto& [self, scoped, charged_line] = level.spots;
  for (const OptionalSpot spot : {self, scoped, charged_line})
    if (spot)
      for (Row* row : rows_of(spot)) row->seen = true;
  if (!self) {
    no_python_.Add(time);
  } else {
    for (Row* row : rows_of(self)) row->self.Add(time);
  }
  if (!scoped) {
    outside_.Add(time);
  } else {
    const auto [unused, function, file] = rows_of(scoped);
    function->scoped.Add(time);
    file->scoped.Add(time);
  }
  if (charged_line) rows_of(charged_line)[0]->scoped.Add(time);
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
    if (spot_ns_[spot_index] == 0 && level.ns != 0) spots_.push_back(spot_index);
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
std::vector<uint32_t> ViewBuilder::LineFunctions() {
  const std::vector<uint32_t>& lines = lines_.Met();
  std::vector<uint32_t> functions;
  for (const uint32_t line : lines) functions.push_back(first_function_[line]);
  std::vector<uint64_t> best(lines.size());
  std::ranges::sort(spots_);
  for (const uint32_t i : spots_) {
    const FrameTable::Spot& spot = frames_.spots()[i];
    const uint32_t place = lines_[spot.line].met_place;
    if (spot_ns_[i] <= best[place]) continue;
    best[place] = spot_ns_[i];
    functions[place] = spot.function;
  }
  return functions;
}

void ViewBuilder::MeetMemory(const MemoryCharges& memory) {
  memory.ForEachIndex([this](uint32_t line) { lines_.Meet(line); },
                      [this](uint32_t function) { functions_.Meet(function); },
                      [this](uint32_t file) { files_.Meet(file); });
}

void ViewBuilder::FillLines(std::vector<FileStats>& files, const MemoryCharges* memory) {
  const std::vector<uint32_t> functions = LineFunctions();
  for (const uint32_t i : lines_.Met()) {
    Row& row = lines_[i];
    MemoryRow of_memory;
    if (memory != nullptr) of_memory = memory->Line(i);
    const FrameTable::Line& line = frames_.lines()[i];
    if (!IsSeen(row, of_memory) || !chosen_[i] || !files_[line.file].met) continue;
    files[files_[line.file].met_place].lines.push_back(
        {line.number, frames_.functions()[functions[row.met_place]].name, std::move(row.self),
         std::move(row.scoped), std::move(row.total), std::move(of_memory)});
  }
}

void ViewBuilder::FillFunctions(std::vector<FileStats>& files, const MemoryCharges* memory) {
  for (const uint32_t i : functions_.Met()) {
    Row& row = functions_[i];
    MemoryRow of_memory;
    if (memory != nullptr) of_memory = memory->Function(i);
    const FrameTable::Function& function = frames_.functions()[i];
    if (!IsSeen(row, of_memory) || !files_[function.file].met) continue;
    files[files_[function.file].met_place].functions.push_back(
        {function.name, function.first_line, std::move(row.self), std::move(row.scoped),
         std::move(row.total), std::move(of_memory)});
  }
}

void ViewBuilder::FillFiles(View& view, const MemoryCharges* memory) {
  std::vector<FileStats> files(files_.Met().size());
  FillLines(files, memory);
  FillFunctions(files, memory);
  for (const uint32_t i : files_.Met()) {
    Row& row = files_[i];
    MemoryRow of_memory;
    if (memory != nullptr) of_memory = memory->File(i);
    if (!IsSeen(row, of_memory)) continue;
    FileStats& file = files[row.met_place];
    file.path = frames_.files()[i].path;
    file.in_scope = frames_.files()[i].in_scope;
    file.self = std::move(row.self);
    file.scoped = std::move(row.scoped);
    file.total = std::move(row.total);
    file.memory = std::move(of_memory);
    std::sort(file.lines.begin(), file.lines.end(),
              [](const LineStats& a, const LineStats& b) { return a.line < b.line; });
    SortByHeat(file.functions);
    view.files.push_back(std::move(file));
  }
  SortByHeat(view.files);
}

void ViewBuilder::FillNatives(View& view) {
  for (const uint32_t i : natives_.Met()) {
    Row& row = natives_[i];
    if (!row.seen) continue;
    const FrameTable::Native& native = frames_.natives()[i];
    view.native_functions.push_back(
        {native.name, native.module, std::move(row.self), std::move(row.total)});
  }
  SortByHeat(view.native_functions);
}

void ViewBuilder::FillMemory(View& view, const MemoryCharges& charges) {
  ViewMemory& memory = view.memory;
  memory.recorded = true;
  memory.total = charges.total();
  memory.without_python = charges.without_python();
  memory.outside = charges.outside();
  memory.peak_ns = charges.peak_ns();
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

void ViewBuilder::Charge(const StackWalk& walk, const std::vector<bool>& used, const OwnTime& own) {
  walk.Walk(
      used,
      [&](uint32_t number) {
        const format::StackId stack = walk.StackOf(number);
        Enter(stack);
        if (!used[number]) return;
        own_.Clear();
        own(number, &own_);
        Charge(stack, levels_[depth_ - 1], own_);
      },
      [&](uint32_t number) { Leave(walk.StackOf(number)); });
}

View ViewBuilder::Finish(const MemoryCharges* memory) {
  View view;
  if (memory != nullptr) MeetMemory(*memory);
  FillFiles(view, memory);
  if (memory != nullptr) FillMemory(view, *memory);
  FillNatives(view);
  view.total = std::exchange(total_, {});
  view.no_python = std::exchange(no_python_, {});
  view.outside = std::exchange(outside_, {});
  for (Rows* rows : {&files_, &lines_, &functions_, &natives_}) rows->Forget();
  for (const uint32_t spot : spots_) spot_ns_[spot] = 0;
  spots_.clear();
  return view;
}

}  // namespace pyrometer::analyze
