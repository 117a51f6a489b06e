// SPDX-License-Identifier: Apache-2.0
#include "tui/print_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "analyze/change_text.h"
#include "tui/diff_words.h"
#include "tui/ink.h"
#include "tui/text.h"

namespace pyrometer::tui {
namespace {

using analyze::Change;
using analyze::DiffRow;
using analyze::Measure;
using analyze::MeasureDiff;

constexpr size_t kMinWidth = 60, kMaxWidth = 200;
constexpr size_t kAmountWidth = 10, kPercentWidth = 10, kIntervalWidth = 25, kPlaceWidth = 24;
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
    for (const MeasureDiff& measure : diff_.measures)
      if (HasFindings(measure)) PrintMeasure(measure);
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
    const std::string facts =
        fmt::format("{} run{}, {} elapsed, {}", side.runs, side.runs == 1 ? "" : "s",
                    analyze::AmountText(Measure::kWall, static_cast<double>(side.elapsed_ns)),
                    Text(side.interpreter));
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

  std::string Numbers(Measure measure, const Change& change) const {
    const auto percent = change.percent();
    std::string text = std::string(Sign(change)) + " " +
                       PadLeft(analyze::AmountText(measure, change.base), kAmountWidth) +
                       PadLeft(analyze::AmountText(measure, change.now), kAmountWidth) +
                       PadLeft(analyze::DifferenceText(measure, change.difference), kAmountWidth) +
                       PadLeft(percent ? analyze::PercentText(*percent) : "", kPercentWidth);
    if (with_intervals())
      text += PadLeft(fmt::format("{} to {}", analyze::DifferenceText(measure, change.low),
                                  analyze::DifferenceText(measure, change.high)),
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

  void PrintMeasure(const MeasureDiff& measure) {
    PrintHeads(MeasureText(measure.measure));
    PrintRow(measure.measure, measure.total, "the whole program", "");
    PrintTables(measure);
  }

  void PrintTables(const MeasureDiff& measure) {
    for (const DiffTable& table : TablesOf(measure, rows_)) {
      Line(std::string(NumbersWidth(), ' ') + ink_(Tone::kFaint, Cut(table.title)));
      for (const DiffRow* row : table.rows)
        PrintRow(measure.measure, row->change, NameOf(*row), PlaceOf(*row));
      if (table.more != 0)
        Line(ink_(Tone::kFaint,
                  fmt::format("{}and {} more", std::string(NumbersWidth(), ' '), table.more)));
    }
  }

  // The rest in a line each; where there is nothing else, with what differs most.
  void PrintUnchanged() {
    std::vector<const MeasureDiff*> unchanged;
    for (const MeasureDiff& measure : diff_.measures)
      if (!HasFindings(measure) && (measure.total.base != 0 || measure.total.now != 0))
        unchanged.push_back(&measure);
    if (unchanged.empty()) return;
    PrintHeads("the whole program");
    for (const MeasureDiff* measure : unchanged)
      PrintRow(measure->measure, measure->total, MeasureText(measure->measure), "");
    if (unchanged.size() == diff_.measures.size()) PrintTables(*unchanged.front());
  }

  // Names come first; places get what is left, and lose their beginning.
  void PrintRow(Measure measure, const Change& change, std::string_view name,
                const std::string& place) {
    const size_t room = width_ - NumbersWidth();
    std::string what = Text(name);
    what.erase(0, what.find_first_not_of(' ') == what.npos ? 0 : what.find_first_not_of(' '));
    const size_t beside_place = std::max(room / 2, room - std::min(room, kPlaceWidth + 2));
    what = CutRight(what, place.empty() ? room : beside_place, ink_.unicode());
    const size_t left = room - Width(what);
    if (!place.empty() && left > 2) what += "  " + CutLeft(Text(place), left - 2, ink_.unicode());
    Line(ink_(ToneOf(change), Numbers(measure, change) + what));
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
