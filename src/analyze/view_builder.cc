// SPDX-License-Identifier: Apache-2.0
#include "analyze/view_builder.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pyrometer::analyze {
namespace {

// Hottest first; the rest of the tuple makes the order total.
auto HeatKey(const FileStats& file) {
  return std::make_tuple(~file.scoped.heat_ns(), ~file.self.heat_ns(), ~file.total.heat_ns(),
                         ~file.memory.scoped.own_peak_bytes, std::string_view(file.path));
}
auto HeatKey(const FunctionStats& function) {
  return std::make_tuple(~function.self.heat_ns(), ~function.total.heat_ns(),
                         ~function.memory.self.own_peak_bytes, function.first_line,
                         std::string_view(function.name));
}
auto HeatKey(const NativeFunctionStats& native) {
  return std::make_tuple(~native.self.heat_ns(), ~native.total.heat_ns(),
                         std::string_view(native.name), std::string_view(native.module));
}

template <class T>
void SortByHeat(std::vector<T>& rows) {
  std::sort(rows.begin(), rows.end(),
            [](const T& a, const T& b) { return HeatKey(a) < HeatKey(b); });
}

}  // namespace

ViewBuilder::ViewBuilder(const profile::Profile& profile, const FrameTable& frames, bool totals,
                         bool profiled_only, const MemoryCharges* memory)
    : profile_(profile),
      frames_(frames),
      totals_(totals),
      profiled_only_(profiled_only),
      memory_(memory),
      files_(frames.files().size()),
      lines_(frames.lines().size()),
      functions_(frames.functions().size()),
      natives_(frames.natives().size()),
      spot_ns_(frames.spots().size()),
      stack_ns_(totals ? 0 : profile.stacks.size()) {}

void ViewBuilder::AddStack(format::StackId stack, const Breakdown& time) {
  ++stamp_;
  total_.Add(time);
  if (!totals_) stack_ns_[stack.value] += time.cpu.ns + time.wait.ns;
  bool innermost = true, self_done = false, scoped_done = false, line_done = false;
  for (; stack != format::kEmptyStack; stack = profile_.stacks[stack.value].parent) {
    const format::FrameId frame = profile_.stacks[stack.value].frame;
    if (frames_.IsPython(frame)) {
      const uint32_t spot_index = frames_.SpotOf(frame);
      const FrameTable::Spot& spot = frames_.spots()[spot_index];
      const uint32_t file = frames_.lines()[spot.line].file;
      const bool in_scope = frames_.InScope(spot);
      const bool has_row = profiled_only_ ? frames_.functions()[spot.function].profiled : in_scope;
      if (totals_) spot_ns_[spot_index] += time.cpu.ns + time.wait.ns;
      if (totals_ || !self_done || (in_scope && !scoped_done) || (has_row && !line_done))
        AddPython(spot, time);
      if (!std::exchange(self_done, true))
        for (Row* row : {&lines_[spot.line], &functions_[spot.function], &files_[file]})
          row->self.Add(time);
      if (!scoped_done && in_scope) {
        scoped_done = true;
        for (Row* row : {&functions_[spot.function], &files_[file]}) row->scoped.Add(time);
      }
      if (!line_done && has_row) {
        line_done = true;
        lines_[spot.line].scoped.Add(time);
      }
    } else {
      const std::span<const uint32_t> natives = frames_.NativesOf(frame);
      if (innermost) natives_[natives.front()].self.Add(time);
      if (totals_ || innermost)
        for (const uint32_t native : natives) AddTotal(natives_[native], time);
    }
    innermost = false;
    // What is further out would get a `total` only.
    if (!totals_ && scoped_done && line_done) break;
  }
  if (!self_done) no_python_.Add(time);
  if (!scoped_done) outside_.Add(time);
}

void ViewBuilder::AddPython(const FrameTable::Spot& spot, const Breakdown& time) {
  AddTotal(lines_[spot.line], time);
  AddTotal(functions_[spot.function], time);
  AddTotal(files_[frames_.lines()[spot.line].file], time);
}

void ViewBuilder::AddTotal(Row& row, const Breakdown& time) {
  if (std::exchange(row.stamp, stamp_) != stamp_ && totals_) row.total.Add(time);
}

void ViewBuilder::Seal(Row& row) {
  for (Breakdown* part : {&row.self, &row.scoped, &row.total}) SetIntervals(*part, total_);
}

void ViewBuilder::AddSpots() {
  // A caller has a lower id than what it calls.
  for (size_t i = stack_ns_.size(); i-- > 1;) {
    const format::StackInfo& stack = profile_.stacks[i];
    stack_ns_[stack.parent.value] += stack_ns_[i];
    if (frames_.IsPython(stack.frame)) spot_ns_[frames_.SpotOf(stack.frame)] += stack_ns_[i];
  }
}

// A line can run as part of several code objects (a lambda and its function);
// the one with most time names it.
std::vector<std::string> ViewBuilder::LineFunctions() const {
  std::vector<std::string> names(lines_.size());
  std::vector<uint64_t> best(lines_.size(), 0);
  for (size_t i = 0; i < spot_ns_.size(); ++i) {
    const FrameTable::Spot& spot = frames_.spots()[i];
    const bool seen = IsSeen(lines_[spot.line], LineMemory(spot.line));
    if (spot_ns_[i] < best[spot.line] || !seen) continue;
    if (spot_ns_[i] == best[spot.line] && !names[spot.line].empty()) continue;
    best[spot.line] = spot_ns_[i];
    names[spot.line] = frames_.functions()[spot.function].name;
  }
  return names;
}

std::vector<bool> ViewBuilder::ChosenLines() const {
  std::vector<bool> chosen(lines_.size(), !profiled_only_);
  for (const FrameTable::Spot& spot : frames_.spots())
    if (frames_.functions()[spot.function].profiled) chosen[spot.line] = true;
  return chosen;
}

void ViewBuilder::FillFiles(View& view) {
  std::vector<FileStats> files(files_.size());
  const std::vector<std::string> names = LineFunctions();
  const std::vector<bool> chosen = ChosenLines();
  for (size_t i = 0; i < lines_.size(); ++i) {
    Row& row = lines_[i];
    const MemoryParts* memory = LineMemory(i);
    if (!IsSeen(row, memory) || !chosen[i]) continue;
    Seal(row);
    const FrameTable::Line& line = frames_.lines()[i];
    files[line.file].lines.push_back({line.number, names[i], row.self, row.scoped, row.total,
                                      memory == nullptr ? MemoryParts() : *memory});
  }
  for (size_t i = 0; i < functions_.size(); ++i) {
    Row& row = functions_[i];
    const MemoryParts* memory =
        memory_ == nullptr ? nullptr : memory_->Function(static_cast<uint32_t>(i));
    if (!IsSeen(row, memory)) continue;
    Seal(row);
    const FrameTable::Function& function = frames_.functions()[i];
    files[function.file].functions.push_back({function.name, function.first_line, row.self,
                                              row.scoped, row.total,
                                              memory == nullptr ? MemoryParts() : *memory});
  }
  for (size_t i = 0; i < files_.size(); ++i) {
    Row& row = files_[i];
    const MemoryParts* memory =
        memory_ == nullptr ? nullptr : memory_->File(static_cast<uint32_t>(i));
    if (!IsSeen(row, memory)) continue;
    Seal(row);
    FileStats& file = files[i];
    file.path = frames_.files()[i].path;
    file.in_scope = frames_.files()[i].in_scope;
    file.self = row.self;
    file.scoped = row.scoped;
    file.total = row.total;
    if (memory != nullptr) file.memory = *memory;
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
    if (row.stamp == 0) continue;
    Seal(row);
    const FrameTable::Native& native = frames_.natives()[i];
    view.native_functions.push_back({native.name, native.module, row.self, row.total});
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
      const MemoryStats& stats = view.files[file].lines[line].memory.scoped;
      if (!stats.allocated.empty() || !stats.at_peak.empty()) memory.lines.push_back({file, line});
      if (!stats.copied.empty()) memory.copies.push_back({file, line});
    }
  }
  // Files and lines are in the report's order where they are equal.
  const auto sort = [&](std::vector<LineRef>& lines, auto key) {
    std::stable_sort(lines.begin(), lines.end(), [&](const LineRef& a, const LineRef& b) {
      return key(view.Line(b).memory.scoped) < key(view.Line(a).memory.scoped);
    });
  };
  sort(memory.lines, [](const MemoryStats& stats) {
    return std::tuple(stats.at_peak.bytes(), stats.own_peak_bytes, stats.allocated.bytes());
  });
  sort(memory.copies, [](const MemoryStats& stats) { return stats.copied.bytes; });
}

View ViewBuilder::Finish() {
  View view;
  AddSpots();
  FillFiles(view);
  if (memory_ != nullptr) FillMemory(view);
  FillNatives(view);
  for (Breakdown* part : {&no_python_, &outside_, &total_}) SetIntervals(*part, total_);
  view.total = total_;
  view.no_python = no_python_;
  view.outside = outside_;
  return view;
}

}  // namespace pyrometer::analyze
