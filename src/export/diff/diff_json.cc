// SPDX-License-Identifier: Apache-2.0
#include "export/diff/diff_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pyrometer::export_ {
namespace {

using analyze::Change;
using analyze::DiffRow;
using metric::Metric;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;

// Bytes that are not UTF-8 become U+FFFD instead of an exception.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

double InUnit(const metric::Info& metric, double amount) {
  return metric.unit == metric::Unit::kNanoseconds ? amount / 1e9 : amount;
}

Json ChangeJson(const metric::Info& metric, const Change& change) {
  const auto percent = change.percent();
  return {{"base", InUnit(metric, change.base)},
          {"new", InUnit(metric, change.now)},
          {"difference", InUnit(metric, change.difference)},
          {"low", InUnit(metric, change.low)},
          {"high", InUnit(metric, change.high)},
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

Json RowJson(const metric::Info& metric, const DiffRow& row) {
  Json json = {{"base_place", PlaceJson(row.code.base)}, {"new_place", PlaceJson(row.code.now)}};
  if (!row.code.text.empty()) json["source"] = row.code.text;
  if (!row.path.empty()) json["path"] = row.path;
  json["change"] = ChangeJson(metric, row.change);
  return json;
}

Json SideJson(const analyze::DiffSide& side) {
  return {{"runs", side.runs},
          {"recordings", side.captures},
          {"command", side.command},
          {"interpreter", side.interpreter},
          {"clock", side.clock},
          {"sample_period_seconds", static_cast<double>(side.sample_period_ns) / 1e9},
          {"elapsed_seconds", static_cast<double>(side.elapsed_ns) / 1e9}};
}

// Row by row, because there may be thousands of them.
void WriteRows(const char* name, const metric::Info& metric, const std::vector<DiffRow>& rows,
               std::ostream& out) {
  out << ",\n\"" << name << "\":[";
  for (size_t i = 0; i < rows.size(); ++i)
    out << (i == 0 ? "\n" : ",\n") << Dump(RowJson(metric, rows[i]));
  out << ']';
}

void WriteMetric(const analyze::MetricDiff& diff, std::ostream& out) {
  const metric::Info& metric = diff.info;
  Json head = {
      {"name", metric.name},
      {"unit", metric.unit == metric::Unit::kNanoseconds ? "seconds" : metric::UnitName(metric)},
      {"judged", diff.judged},
      {"why_not", diff.judged ? Json(nullptr) : Json(diff.why_not)},
      {"total", ChangeJson(metric, diff.total)}};
  head["detectable"] = nullptr;
  if (diff.detectable)
    head["detectable"] = {{"function", diff.detectable_in},
                          {"difference", InUnit(metric, *diff.detectable)}};
  std::string text = Dump(head);
  text.pop_back();
  out << text;
  WriteRows("functions", metric, diff.functions, out);
  WriteRows("lines", metric, diff.lines, out);
  WriteRows("paths", metric, diff.paths, out);
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
  for (size_t i = 0; i < diff.metrics.size(); ++i) {
    out << (i == 0 ? "\n" : ",\n");
    WriteMetric(diff.metrics[i], out);
  }
  out << "]}\n";
}

}  // namespace pyrometer::export_
