// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/limit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace pyrometer::analyze {
namespace {

using metric::Metric;

struct Unit {
  std::string_view name;
  double size;
  metric::Unit unit;
};
using enum metric::Unit;
constexpr Unit kUnits[] = {{"s", 1e9, kNanoseconds},  {"ms", 1e6, kNanoseconds},
                           {"us", 1e3, kNanoseconds}, {"B", 1, kBytes},
                           {"kB", 1e3, kBytes},       {"MB", 1e6, kBytes},
                           {"GB", 1e9, kBytes},       {"", 1, kCount}};

std::string_view KindOf(metric::Unit unit) {
  return unit == kNanoseconds ? "time" : unit == kBytes ? "bytes" : "counts";
}

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string MetricNames(const metric::Table& table) {
  std::string names;
  for (const metric::Info& info : table.Listed(metric::kRanked))
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

// `name` is `whole`, or the end of it behind a `separator`.
bool IsEndOf(std::string_view name, std::string_view whole, char separator) {
  if (!whole.ends_with(name)) return false;
  return whole.size() == name.size() || whole[whole.size() - name.size() - 1] == separator;
}

class LimitParser {
 public:
  LimitParser(std::string_view text, const metric::Table& table) : text_(text), table_(table) {
    limit_.text = text;
  }

  base::Result<Limit> Parse() {
    const size_t at = text_.rfind('>');
    if (at == text_.npos) return Wrong("has no '>'");
    const std::string_view what = Trimmed(text_.substr(0, at));
    base::Status status = what.starts_with(kFunction) ? ParseFunction(what)
                          : what.starts_with(kLine)   ? ParseLine(what)
                                                      : ParseTotal(what);
    if (status.ok()) status = ParseAmount(Trimmed(text_.substr(at + 1)));
    if (!status.ok()) return status.error();
    return std::move(limit_);
  }

 private:
  static constexpr std::string_view kFunction = "function:", kLine = "line:";

  base::Error Wrong(const std::string& why) const {
    return {"--fail-if '" + std::string(text_) + "' " + why +
            "; it is like 'cpu:total>5%', 'memory:peak>10MB', 'function:load cpu>2%' or "
            "'line:app.py:42 cpu>200ms'"};
  }

  base::Status ParseMetric(std::string_view name) {
    const auto metric = table_.Find(name, metric::kRanked);
    if (!metric)
      return base::Error{"--fail-if '" + std::string(text_) + "': there is no metric '" +
                         std::string(name) + "'; there are " + MetricNames(table_)};
    limit_.metric = *metric;
    return {};
  }

  base::Status ParseTotal(std::string_view what) {
    const size_t colon = what.find(':');
    const std::string_view which = colon == what.npos ? "" : what.substr(colon + 1);
    if (const auto status = ParseMetric(what.substr(0, colon)); !status.ok()) return status;
    // Live memory is what it is at the peak.
    if (which == "peak" && limit_.metric == Metric::kLiveAtPeak) return {};
    if (which == "total") return {};
    return Wrong(which == "peak" ? "is about the peak of something that has none"
                                 : "does not say of what: METRIC:total, or memory:peak");
  }

  // "NAME METRIC" behind what it begins with.
  base::Status ParseNamed(std::string_view rest) {
    const size_t blank = rest.rfind(' ');
    if (blank == rest.npos) return Wrong("has no metric behind the name");
    limit_.name = Trimmed(rest.substr(0, blank));
    if (limit_.name.empty()) return Wrong("has no name");
    return ParseMetric(rest.substr(blank + 1));
  }

  base::Status ParseFunction(std::string_view what) {
    limit_.what = Limit::What::kFunction;
    return ParseNamed(what.substr(kFunction.size()));
  }

  base::Status ParseLine(std::string_view what) {
    limit_.what = Limit::What::kLine;
    if (auto status = ParseNamed(what.substr(kLine.size())); !status.ok()) return status;
    const size_t colon = limit_.name.rfind(':');
    if (colon == limit_.name.npos || colon == 0) return Wrong("has no FILE:LINE");
    const char* end = limit_.name.data() + limit_.name.size();
    const auto [stop, error] = std::from_chars(limit_.name.data() + colon + 1, end, limit_.line);
    if (error != std::errc() || stop != end || limit_.line == 0)
      return Wrong("has no number of a line");
    limit_.name.resize(colon);
    return {};
  }

  base::Status ParseAmount(std::string_view text) {
    const auto [stop, error] =
        std::from_chars(text.data(), text.data() + text.size(), limit_.amount);
    if (error != std::errc() || !std::isfinite(limit_.amount) || limit_.amount < 0)
      return Wrong("has no number behind '>'");
    const std::string_view unit = Trimmed(text.substr(static_cast<size_t>(stop - text.data())));
    limit_.percent = unit == "%";
    if (limit_.percent) return {};
    const auto* known = std::find_if(std::begin(kUnits), std::end(kUnits),
                                     [&](const Unit& one) { return one.name == unit; });
    if (known == std::end(kUnits)) return Wrong("needs a unit: %, s, ms, us, B, kB, MB or GB");
    const metric::Unit wanted = table_[limit_.metric].unit;
    if (known->unit != wanted)
      return Wrong("compares " + std::string(KindOf(wanted)) + " with " +
                   std::string(KindOf(known->unit)));
    limit_.amount *= known->size;
    return {};
  }

  std::string_view text_;
  const metric::Table& table_;
  Limit limit_;
};

bool IsAbout(const Limit& limit, const DiffRow& row) {
  if (row.is_outside()) return false;
  const CodeTable::Place& place = row.code.place();
  if (limit.what == Limit::What::kFunction) return IsEndOf(limit.name, place.function, '.');
  return row.code.now && place.line == limit.line && IsEndOf(limit.name, place.path, '/');
}

// Of several that fit, the one that has grown most.
const DiffRow* FindRow(const Limit& limit, const std::vector<DiffRow>& rows) {
  const DiffRow* found = nullptr;
  for (const DiffRow& row : rows)
    if (IsAbout(limit, row) &&
        (found == nullptr || row.change.difference > found->change.difference))
      found = &row;
  return found;
}

LimitResult Check(const Diff& diff, const Limit& limit, size_t limits) {
  LimitResult result{.limit = limit};
  const MetricDiff* metric = diff.Find(limit.metric);
  if (metric == nullptr) {
    result.reason = "was not recorded by both sides";
    return result;
  }
  const Change* change = &metric->total;
  if (limit.what != Limit::What::kTotal) {
    const DiffRow* row =
        FindRow(limit, limit.what == Limit::What::kLine ? metric->lines : metric->functions);
    if (row == nullptr) {
      result.reason = "has nothing in these runs";
      return result;
    }
    result.row = *row;
    change = &row->change;
  }
  const double most = limit.percent ? limit.amount / 100 * metric->total.base : limit.amount;
  const bool beyond = change->difference > most;
  // One side of the chances: shrinking is never too much.
  const bool no_accident = change->difference > 0 &&
                           change->accident_p / 2 * static_cast<double>(limits) < kSignificantP;
  result.exceeded = beyond && change->judged && no_accident;
  result.reason = result.exceeded   ? "is exceeded"
                  : !beyond         ? "holds"
                  : change->judged  ? "is exceeded, but that may be an accident"
                  : !metric->judged ? metric->why_not
                                    : "has too few samples to say";
  return result;
}

}  // namespace

base::Result<Limit> ParseLimit(std::string_view text, const metric::Table& table) {
  return LimitParser(text, table).Parse();
}

std::vector<LimitResult> CheckLimits(const Diff& diff, std::span<const Limit> limits) {
  std::vector<LimitResult> results;
  for (const Limit& limit : limits) results.push_back(Check(diff, limit, limits.size()));
  return results;
}

}  // namespace pyrometer::analyze
