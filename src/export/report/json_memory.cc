// SPDX-License-Identifier: Apache-2.0
#include "export/report/json_memory.h"

#include <algorithm>
#include <span>
#include <utility>

#include "export/report/json_names.h"

namespace pyrometer::export_ {
namespace {

using analyze::LineRef;
using analyze::LineStats;
using analyze::MemoryByKind;
using analyze::MemoryLevels;
using analyze::MemoryStats;
using analyze::MemorySum;
using analyze::View;
using metric::Metric;
using Json = nlohmann::ordered_json;

constexpr const char* kKindNames[analyze::kLiveKindCount] = {"python", "native", "mapped"};
constexpr size_t kMostLines = 100;

double Seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

Json AmountJson(const MemorySum& sum) {
  const analyze::Interval range = sum.Range();
  // The border that was not moved is the estimate itself, to the byte.
  const bool exact = !(sum.variance > 0);
  return {{"bytes", sum.bytes},
          {"low", exact ? sum.bytes : std::min(sum.bytes, analyze::WholeBytes(range.low))},
          {"high", exact ? sum.bytes : std::max(sum.bytes, analyze::WholeBytes(range.high))},
          {"blocks", sum.blocks},
          {"samples", sum.samples}};
}

Json KindsJson(const MemoryByKind& kinds) {
  Json json = Json::object();
  for (size_t i = 0; i < kinds.kinds.size(); ++i)
    if (!kinds.kinds[i].empty()) json[kKindNames[i]] = AmountJson(kinds.kinds[i]);
  return json;
}

Json PlaceJson(const analyze::Place& place) {
  return {{"path", place.path}, {"function", place.function}, {"line", place.line}};
}

Json PlaceJson(const View& view, const LineRef& ref) {
  const LineStats& line = view.Line(ref);
  return PlaceJson({view.files[ref.file].path, line.function, line.line});
}

Json LevelsJson(const MemoryLevels& level) {
  return {{"seconds", Seconds(level.time_ns)},
          {"rss_bytes", level.rss_bytes},
          {"pss_bytes", level.pss_bytes == 0 ? Json(nullptr) : Json(level.pss_bytes)},
          {"python_bytes", level.python_bytes},
          {"native_bytes", level.native_bytes},
          {"mapped_bytes", level.mapped_bytes},
          {"arena_bytes", level.arena_bytes},
          {"arena_free_bytes", level.arena_slack()},
          {"rest_bytes", level.rest()}};
}

Json LinesJson(const View& view) {
  Json json = Json::array();
  const std::vector<LineRef>& lines = view.memory.lines;
  for (const LineRef& ref : std::span(lines).first(std::min(lines.size(), kMostLines))) {
    const MemoryStats& stats = view.Line(ref).memory.scoped();
    json.push_back({{"place", PlaceJson(view, ref)},
                    {BytesOf(Metric::kLiveAtPeak), stats.at_peak.bytes()},
                    {PercentOf(Metric::kLiveAtPeak),
                     Percent(stats.at_peak.bytes(), view.memory.total.at_peak.bytes())},
                    {"own_peak_bytes", stats.own_peak_bytes},
                    {BytesOf(Metric::kAllocated), stats.allocated.bytes()}});
  }
  return json;
}

Json CopiesJson(const View& view) {
  Json json = Json::array();
  const std::vector<LineRef>& lines = view.memory.copies;
  for (const LineRef& ref : std::span(lines).first(std::min(lines.size(), kMostLines))) {
    const MemoryStats& stats = view.Line(ref).memory.scoped();
    const double rate = view.elapsed_ns == 0
                            ? 0
                            : static_cast<double>(stats.copied.bytes) / Seconds(view.elapsed_ns);
    json.push_back({{"place", PlaceJson(view, ref)},
                    {NameOf(Metric::kCopied), AmountJson(stats.copied)},
                    {"percent", Percent(stats.copied.bytes, view.memory.total.copied.bytes)},
                    {"bytes_per_second", rate},
                    {"by_element_bytes", stats.copied_by_element.bytes},
                    {"allocates_as_much", stats.CopiesWhatItAllocates()}});
  }
  return json;
}

}  // namespace

Json MemoryStatsJson(const MemoryStats& stats, const View& view) {
  if (!view.memory.recorded) return nullptr;
  Json json = Json::object();
  if (stats.empty()) return json;
  const MemoryStats& all = view.memory.total;
  json[NameOf(Metric::kAllocated)] = KindsJson(stats.allocated);
  json[NameOf(Metric::kLiveAtPeak)] = KindsJson(stats.at_peak);
  json[NameOf(Metric::kLiveAtExit)] = KindsJson(stats.at_end);
  json[NameOf(Metric::kCopied)] = AmountJson(stats.copied);
  json["own_peak_bytes"] = stats.own_peak_bytes;
  json["average_bytes"] = stats.average_bytes;
  json[PercentOf(Metric::kLiveAtPeak)] = Percent(stats.at_peak.bytes(), all.at_peak.bytes());
  json[PercentOf(Metric::kAllocated)] = Percent(stats.allocated.bytes(), all.allocated.bytes());
  if (!stats.timeline.empty()) json["timeline"] = stats.timeline;
  return json;
}

Json MemoryPartsJson(const analyze::MemoryRow& row, const View& view) {
  if (!view.memory.recorded) return nullptr;
  return {{"self", MemoryStatsJson(row.self(), view)},
          {"scoped", MemoryStatsJson(row.scoped(), view)},
          {"total", MemoryStatsJson(row.total(), view)}};
}

Json ViewMemoryJson(const View& view) {
  const analyze::ViewMemory& memory = view.memory;
  if (!memory.recorded) return nullptr;
  Json levels = Json::array();
  for (const MemoryLevels& level : memory.levels) levels.push_back(LevelsJson(level));
  return {
      {"totals", MemoryStatsJson(memory.total, view)},
      {"outside_scope", MemoryStatsJson(memory.outside, view)},
      {"without_python", MemoryStatsJson(memory.without_python, view)},
      {"peak_seconds", Seconds(memory.peak_ns)},
      {"peak_rss_bytes", memory.peak_rss_bytes == 0 ? Json(nullptr) : Json(memory.peak_rss_bytes)},
      {"peak_levels", memory.peak_levels ? LevelsJson(*memory.peak_levels) : Json(nullptr)},
      {"end_levels", memory.end_levels ? LevelsJson(*memory.end_levels) : Json(nullptr)},
      {"levels", std::move(levels)},
      {"growth_bytes_per_second", memory.growth_bytes_per_second},
      {"lines", LinesJson(view)},
      {"copies", CopiesJson(view)}};
}

Json LeakJson(const analyze::LeakStats& leak) {
  Json stack = Json::array();
  for (const analyze::Place& place : leak.stack) stack.push_back(PlaceJson(place));
  Json types = Json::array();
  for (const analyze::LeakStats::Type& type : leak.types)
    types.push_back({{"name", type.name}, {"live", AmountJson(type.live)}});
  return {{"place", PlaceJson(leak.place)},
          {"probability", leak.probability},
          {"bytes_per_second", leak.bytes_per_second},
          {"low", leak.low_bytes_per_second},
          {"high", leak.high_bytes_per_second},
          {"live", AmountJson(leak.live)},
          {NameOf(Metric::kAllocated), AmountJson(leak.allocated)},
          {"freed", AmountJson(leak.freed)},
          {"survival_percent", leak.SurvivalPercent()},
          {"processes", leak.processes},
          {"types", std::move(types)},
          {"stack", std::move(stack)}};
}

}  // namespace pyrometer::export_
