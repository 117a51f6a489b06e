// SPDX-License-Identifier: Apache-2.0
#include "tui/diff/print_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "analyze/diff/change_text.h"
#include "metric/amount_text.h"
#include "tui/diff/diff_words.h"
#include "tui/text/ink.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

using analyze::Change;
using analyze::DiffRow;
using analyze::MetricDiff;
using metric::Metric;

constexpr size_t kMinWidth = 60, kMaxWidth = 200;
constexpr size_t kAmountWidth = 10, kPercentWidth = 10, kIntervalWidth = 25, kPlaceWidth = 24,
                 kInterpreterWidth = 24;
// Columns of page from which there is room for intervals.
constexpr size_t kIntervalFrom = 120;

class DiffPainter {
 public:
  DiffPainter(std::ostream& out, const analyze::Diff& diff, const ReportStyle& style, size_t rows)
      : out_(out),
        diff_(diff),
        ink_(style),
        width_(std::clamp(style.width, kMinWidth, kMaxWidth)),
        rows_(rows) {}

  void Print(std::span<const analyze::LimitResult> limits) {
    PrintSide("base", diff_.base);
    PrintSide("new", diff_.now);
    for (const std::string& finding : Findings(diff_)) Paragraph(Tone::kStrong, finding);
    for (const analyze::LimitResult& result : limits)
      Paragraph(result.exceeded ? Tone::kHot : Tone::kPlain, LimitText(diff_, result));
    for (const MetricDiff& metric : diff_.metrics)
      if (HasFindings(metric)) PrintMetric(metric);
    PrintUnchanged();
    Line("");
    for (const std::string& remark : Remarks(diff_)) Paragraph(Tone::kFaint, remark);
  }

 private:
  std::string Text(std::string_view text) const { return Printable(text, ink_.unicode()); }

  void Line(std::string_view text) {
    const size_t end = text.find_last_not_of(' ');
    out_ << text.substr(0, end == text.npos ? 0 : end + 1) << '\n';
  }

  void Paragraph(Tone tone, const std::string& text) {
    for (const std::string& line : Wrap(Text(text), width_, ink_.unicode())) Line(ink_(tone, line));
  }

  void PrintSide(std::string_view name, const analyze::DiffSide& side) {
    std::string command;
    for (const std::string& word : side.command)
      command += (command.empty() ? "" : " ") + Text(word);
    const std::string facts = fmt::format(
        "{} run{}, {} elapsed, {}", side.runs, side.runs == 1 ? "" : "s",
        metric::AmountText(metric::InfoOf(Metric::kTime), static_cast<double>(side.elapsed_ns)),
        CutRight(Text(side.interpreter), kInterpreterWidth, ink_.unicode()));
    const size_t left = width_ > Width(facts) + 9 ? width_ - Width(facts) - 9 : 10;
    Line(fmt::format("{:<6}{}   {}", name, Fit(command, left, ink_.unicode()),
                     ink_(Tone::kFaint, facts)));
  }

  bool with_intervals() const { return width_ >= kIntervalFrom; }
  size_t NumbersWidth() const {
    return 2 + 3 * kAmountWidth + kPercentWidth + (with_intervals() ? kIntervalWidth : 0) + 2;
  }

  // To the room behind the numbers.
  std::string Cut(std::string_view text) const {
    return CutRight(text, width_ - NumbersWidth(), ink_.unicode());
  }

  // What colour says, the sign in front says too.
  std::string_view Sign(const Change& change) const {
    if (!change.significant) return " ";
    return change.difference > 0 ? ink_.Glyph("▲", "+") : ink_.Glyph("▼", "-");
  }
  static Tone ToneOf(const Change& change) {
    if (!change.significant) return Tone::kPlain;
    return change.difference > 0 ? Tone::kHot : Tone::kPython;
  }

  std::string Numbers(const metric::Info& metric, const Change& change) const {
    const auto percent = change.percent();
    std::string text = std::string(Sign(change)) + " " +
                       PadLeft(metric::AmountText(metric, change.base), kAmountWidth) +
                       PadLeft(metric::AmountText(metric, change.now), kAmountWidth) +
                       PadLeft(analyze::DifferenceText(metric, change.difference), kAmountWidth) +
                       PadLeft(percent ? analyze::PercentText(*percent) : "", kPercentWidth);
    if (with_intervals())
      text += PadLeft(fmt::format("{} to {}", analyze::DifferenceText(metric, change.low),
                                  analyze::DifferenceText(metric, change.high)),
                      kIntervalWidth);
    return text + "  ";
  }

  void PrintHeads(std::string_view title) {
    Line("");
    std::string heads = "  " + PadLeft("base", kAmountWidth) + PadLeft("new", kAmountWidth) +
                        PadLeft("change", kAmountWidth) + PadLeft("", kPercentWidth);
    if (with_intervals()) heads += PadLeft("95 % interval", kIntervalWidth);
    Line(ink_(Tone::kFaint, heads + "  ") + ink_(Tone::kStrong, Cut(title)));
  }

  void PrintMetric(const MetricDiff& metric) {
    PrintHeads(analyze::MetricText(metric.info));
    PrintRow(metric.info, metric.total, "the whole program", "");
    PrintTables(metric);
  }

  void PrintTables(const MetricDiff& metric) {
    for (const DiffTable& table : TablesOf(metric, rows_)) {
      Line(std::string(NumbersWidth(), ' ') + ink_(Tone::kFaint, Cut(table.title)));
      for (const DiffRow* row : table.rows)
        PrintRow(metric.info, row->change, NameOf(*row), PlaceOf(*row));
      if (table.more != 0)
        Line(ink_(Tone::kFaint,
                  fmt::format("{}and {} more", std::string(NumbersWidth(), ' '), table.more)));
    }
  }

  // The rest in a line each; where there is nothing else, with what differs most.
  void PrintUnchanged() {
    std::vector<const MetricDiff*> unchanged;
    for (const MetricDiff& metric : diff_.metrics)
      if (!HasFindings(metric) && (metric.total.base != 0 || metric.total.now != 0))
        unchanged.push_back(&metric);
    if (unchanged.empty()) return;
    PrintHeads("the whole program");
    for (const MetricDiff* metric : unchanged)
      PrintRow(metric->info, metric->total, analyze::MetricText(metric->info), "");
    if (unchanged.size() == diff_.metrics.size()) PrintTables(*unchanged.front());
  }

  // Names come first; places get what is left, and lose their beginning.
  void PrintRow(const metric::Info& metric, const Change& change, std::string_view name,
                const std::string& place) {
    const size_t room = width_ - NumbersWidth();
    std::string what = Text(name);
    what.erase(0, what.find_first_not_of(' ') == what.npos ? 0 : what.find_first_not_of(' '));
    const size_t beside_place = std::max(room / 2, room - std::min(room, kPlaceWidth + 2));
    what = CutRight(what, place.empty() ? room : beside_place, ink_.unicode());
    const size_t left = room - Width(what);
    if (!place.empty() && left > 2) what += "  " + CutLeft(Text(place), left - 2, ink_.unicode());
    Line(ink_(ToneOf(change), Numbers(metric, change) + what));
  }

  std::ostream& out_;
  const analyze::Diff& diff_;
  const Ink ink_;
  const size_t width_;
  const size_t rows_;
};

}  // namespace

void PrintDiff(std::ostream& out, const analyze::Diff& diff,
               std::span<const analyze::LimitResult> limits, const ReportStyle& style,
               size_t rows) {
  DiffPainter(out, diff, style, rows).Print(limits);
}

}  // namespace pyrometer::tui
