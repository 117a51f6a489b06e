// SPDX-License-Identifier: Apache-2.0
#include "export/diff/sarif.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <string>

#include "analyze/diff/change_text.h"
#include "export/diff/grown_rows.h"
#include "export/stream/single_line.h"

namespace pyrometer::export_ {
namespace {

using analyze::DiffRow;
using metric::Metric;
using Json = nlohmann::ordered_json;

// More than this, GitHub does not take.
constexpr size_t kMostResults = 5000;
constexpr char kSchema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string RuleOf(const metric::Info& metric) { return "more-" + std::string(metric.name); }
constexpr char kLimitRule[] = "limit-exceeded";

Json RulesJson(const metric::Table& table) {
  Json rules = Json::array();
  for (const metric::Info& info : table.Listed(metric::kRanked))
    rules.push_back(
        {{"id", RuleOf(info)},
         {"shortDescription", {{"text", "More " + analyze::MetricText(info) + " than before"}}},
         {"defaultConfiguration", {{"level", "warning"}}}});
  rules.push_back({{"id", kLimitRule},
                   {"shortDescription", {{"text", "A limit of pyrometer diff is exceeded"}}},
                   {"defaultConfiguration", {{"level", "error"}}}});
  return rules;
}

// A path as a reference relative to the root of the sources.
std::string UriOf(const std::string& path) {
  std::string uri;
  for (const char c : ValidUtf8(path)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte < 0x80 && std::isalnum(byte) != 0) || c == '/' || c == '-' ||
                       c == '_' || c == '.' || c == '~';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

// Only what lies below the folder of the run can be found by others.
bool IsInProject(const std::string& path) {
  return !path.starts_with('/') && !path.starts_with('<') && !path.starts_with("../") &&
         path.find("/../") == path.npos;
}

Json LocationsJson(const DiffRow& row) {
  const analyze::CodeTable::Place& place = *row.code.now;
  if (!IsInProject(place.path)) return Json::array();
  Json physical = {{"artifactLocation", {{"uri", UriOf(place.path)}, {"uriBaseId", "%SRCROOT%"}}}};
  if (place.line != 0) physical["region"] = {{"startLine", place.line}};
  return Json::array(
      {{{"physicalLocation", physical},
        {"logicalLocations",
         {{{"fullyQualifiedName", SingleLine(place.function)}, {"kind", "function"}}}}}});
}

Json ResultJson(const std::string& rule, const char* level, const std::string& text,
                const DiffRow* row) {
  Json result = {{"ruleId", rule}, {"level", level}, {"message", {{"text", SingleLine(text)}}}};
  if (row != nullptr && row->code.now) result["locations"] = LocationsJson(*row);
  return result;
}

}  // namespace

void WriteSarif(const analyze::Diff& diff, std::span<const analyze::LimitResult> limits,
                std::string_view version, std::ostream& out) {
  Json results = Json::array();
  for (const analyze::LimitResult& limit : limits)
    if (limit.exceeded)
      results.push_back(ResultJson(kLimitRule, "error", LimitText(diff, limit),
                                   limit.row ? &*limit.row : nullptr));
  for (const GrownRow& grown : GrownRows(diff, kMostResults - results.size()))
    results.push_back(ResultJson(
        RuleOf(grown.metric), "warning",
        fmt::format("{} {} has {}", grown.line ? "This line of" : "Function",
                    grown.row->code.now->function, ChangeText(grown.metric, grown.row->change)),
        grown.row));
  const Json driver = {
      {"name", "pyrometer"}, {"version", version}, {"rules", RulesJson(diff.table)}};
  const Json sarif = {{"$schema", kSchema},
                      {"version", "2.1.0"},
                      {"runs", Json::array({{{"tool", {{"driver", driver}}},
                                             {"columnKind", "unicodeCodePoints"},
                                             {"results", results}}})}};
  out << sarif.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace pyrometer::export_
