// SPDX-License-Identifier: Apache-2.0
#include "export/diff_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pyrometer::export_ {
namespace {

using analyze::Change;
using analyze::DiffRow;
using analyze::Measure;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

// Bytes that are not UTF-8 become U+FFFD instead of an exception.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

double InUnit(Measure measure, double amount) { return IsMemory(measure) ? amount : amount / 1e9; }

Json ChangeJson(Measure measure, const Change& change) {
  const auto percent = change.percent();
  return {{"base", InUnit(measure, change.base)},
          {"new", InUnit(measure, change.now)},
          {"difference", InUnit(measure, change.difference)},
          {"low", InUnit(measure, change.low)},
          {"high", InUnit(measure, change.high)},
          {"percent", percent ? Json(*percent) : Json(nullptr)},
          {"base_samples", change.base_samples},
          {"new_samples", change.new_samples},
          {"judged", change.judged},
          {"p", change.p},
          {"significant", change.significant}};
}

Json PlaceJson(const std::optional<analyze::CodeTable::Place>& place) {
  if (!place) return nullptr;
  return {{"path", place->path}, {"function", place->function}, {"line", place->line}};
}

Json RowJson(Measure measure, const DiffRow& row) {
  Json json = {{"base_place", PlaceJson(row.code.base)}, {"new_place", PlaceJson(row.code.now)}};
  if (!row.code.text.empty()) json["source"] = row.code.text;
  if (!row.path.empty()) json["path"] = row.path;
  json["change"] = ChangeJson(measure, row.change);
  return json;
}

Json SideJson(const analyze::DiffSide& side) {
  return {{"runs", side.runs},
          {"captures", side.captures},
          {"command", side.command},
          {"interpreter", side.interpreter},
          {"clock", side.clock},
          {"sample_period_seconds", static_cast<double>(side.sample_period_ns) / 1e9},
          {"elapsed_seconds", static_cast<double>(side.elapsed_ns) / 1e9}};
}

// Row by row, because there may be thousands of them.
void WriteRows(const char* name, Measure measure, const std::vector<DiffRow>& rows,
               std::ostream& out) {
  out << ",\n\"" << name << "\":[";
  for (size_t i = 0; i < rows.size(); ++i)
    out << (i == 0 ? "\n" : ",\n") << Dump(RowJson(measure, rows[i]));
  out << ']';
}

void WriteMeasure(const analyze::MeasureDiff& diff, std::ostream& out) {
  const Measure measure = diff.measure;
  Json head = {{"metric", InfoOf(measure).name},
               {"unit", IsMemory(measure) ? "bytes" : "seconds"},
               {"judged", diff.judged},
               {"why_not", diff.judged ? Json(nullptr) : Json(diff.why_not)},
               {"total", ChangeJson(measure, diff.total)}};
  head["detectable"] = nullptr;
  if (diff.detectable)
    head["detectable"] = {{"function", diff.detectable_in},
                          {"difference", InUnit(measure, *diff.detectable)}};
  std::string text = Dump(head);
  text.pop_back();
  out << text;
  WriteRows("functions", measure, diff.functions, out);
  WriteRows("lines", measure, diff.lines, out);
  WriteRows("paths", measure, diff.paths, out);
  out << '}';
}

}  // namespace

void WriteDiffJson(const analyze::Diff& diff, std::span<const analyze::LimitResult> limits,
                   std::ostream& out) {
  Json head = {{"schema", "pyrometer.diff"}, {"version", kVersion},   {"base", SideJson(diff.base)},
               {"new", SideJson(diff.now)},  {"paired", diff.paired}, {"speed", nullptr},
               {"notes", diff.notes}};
  if (diff.speed)
    head["speed"] = {
        {"factor", diff.speed->factor}, {"low", diff.speed->low}, {"high", diff.speed->high}};
  head["limits"] = Json::array();
  for (const analyze::LimitResult& result : limits)
    head["limits"].push_back(
        {{"limit", result.limit.text},
         {"exceeded", result.exceeded},
         {"reason", result.reason},
         {"place", result.row ? PlaceJson(result.row->code.place()) : nullptr}});
  std::string text = Dump(head);
  text.pop_back();
  out << text << ",\n\"metrics\":[";
  for (size_t i = 0; i < diff.measures.size(); ++i) {
    out << (i == 0 ? "\n" : ",\n");
    WriteMeasure(diff.measures[i], out);
  }
  out << "]}\n";
}

}  // namespace pyrometer::export_
