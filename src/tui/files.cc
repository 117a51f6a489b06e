// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tui/bar.h"
#include "tui/number.h"
#include "tui/sections.h"
#include "tui/source_rows.h"
#include "tui/text.h"

namespace pyrometer::tui {
namespace {

using analyze::Breakdown;
using analyze::FileStats;
using analyze::LineStats;

constexpr double kWorthPercent = 1;
constexpr size_t kLineWidth = 6;
constexpr size_t kTotalColumnFrom = 120;  // columns of page from which lines show their total
constexpr size_t kErrorColumnFrom = 110;

// Files worth a table of their own, hottest first: at least the first.
std::vector<const FileStats*> ShownFiles(const Page& page) {
  std::vector<const FileStats*> shown;
  for (const FileStats& file : page.view().files) {
    if (!file.in_scope || file.scoped.empty()) continue;
    if (shown.empty() || page.IsWorth(file.scoped, kWorthPercent)) shown.push_back(&file);
  }
  return shown;
}

// The columns that files and lines have in common, without the bar.
std::string TimeColumns(const Page& page, const Breakdown& time) {
  std::string text = page.SecondsColumn(time.cpu.ns);
  text += page.PercentColumn(page.view().CpuPercent(time.cpu.ns));
  if (page.width() >= kErrorColumnFrom) text += page.ErrorColumn(time.cpu);
  if (page.has_waits()) text += page.SecondsColumn(time.wait.ns);
  if (page.has_gc()) text += page.SecondsColumn(time.gc_ns);
  if (page.has_awaits()) text += page.AwaitColumn(time.await_ns);
  return text;
}

std::string TimeHeads(const Page& page) {
  std::string text = PadLeft("CPU s", kSecondsWidth) + PadLeft("%", kPercentWidth);
  if (page.width() >= kErrorColumnFrom) {
    text += PadLeft(page.ink().Glyph("±", "+-"), kErrorWidth);
  }
  if (page.has_waits()) text += PadLeft("wait s", kSecondsWidth);
  if (page.has_gc()) text += PadLeft("GC s", kSecondsWidth);
  if (page.has_awaits()) text += PadLeft("await s", kSecondsWidth);
  return text;
}

void PrintFileRow(Page& page, const std::string& name, const Breakdown& time, Tone tone) {
  const std::string columns = TimeColumns(page, time);
  const size_t room = page.width() - Width(columns) - page.bar_cells() - 4;
  page.Line(page.ink()(tone, columns) + "  " + page.Bar(time) + "  " +
            CutLeft(name, room, page.ink().unicode()));
}

void PrintRanking(Page& page, const std::vector<const FileStats*>& shown) {
  Breakdown others;
  size_t other_count = 0;
  for (const FileStats& file : page.view().files) {
    if (!file.in_scope || file.scoped.empty()) continue;
    if (std::find(shown.begin(), shown.end(), &file) != shown.end()) continue;
    others.Add(file.scoped);
    ++other_count;
  }
  const Breakdown& outside = page.view().outside;
  if (shown.size() + other_count < 2 && outside.empty()) return;
  SetIntervals(others, page.view().total);
  page.Title("Files");
  page.Line(page.ink()(Tone::kFaint, TimeHeads(page)));
  for (const FileStats* file : shown) {
    PrintFileRow(page, page.Path(file->path), file->scoped,
                 page.IsHot(file->scoped) ? Tone::kHot : Tone::kPlain);
  }
  if (other_count > 0) {
    PrintFileRow(page, fmt::format("({} more files)", other_count), others, Tone::kFaint);
  }
  if (!outside.empty()) PrintFileRow(page, "(outside your code)", outside, Tone::kPlain);
  PrintFileRow(page, "total", page.view().total, Tone::kStrong);
}

// The line table of one file.
class LineTable {
 public:
  LineTable(Page& page, const FileStats& file)
      : page_(page),
        file_(file),
        show_total_(page.width() >= kTotalColumnFrom),
        separator_(page.ink()(Tone::kFaint, page.ink().Glyph(" │ ", " | "))) {}

  void Print() {
    const analyze::SourceFile* source =
        file_.source ? &page_.report().sources[*file_.source] : nullptr;
    page_.Title(page_.Path(file_.path), source == nullptr ? "(no source text)" : "");
    page_.Line(Heads());
    const std::vector<SourceRow> rows = ChooseRows(
        file_, source, page_.style().reduced,
        [this](const LineStats& line) { return page_.IsWorth(line.scoped, kWorthPercent); });
    for (const SourceRow& row : rows) page_.Line(RowText(row));
    PrintRest(rows);
  }

 private:
  size_t NumbersWidth() const {
    size_t width = kLineWidth + kSecondsWidth + kPercentWidth;
    if (page_.width() >= kErrorColumnFrom) width += kErrorWidth;
    if (page_.has_waits()) width += kSecondsWidth;
    if (page_.has_gc()) width += kSecondsWidth;
    if (page_.has_awaits()) width += kSecondsWidth;
    if (show_total_) width += kSecondsWidth;
    return width;
  }
  size_t SourceWidth() const { return page_.width() - NumbersWidth() - 2 - page_.bar_cells() - 3; }

  std::string Heads() const {
    std::string text = PadLeft("line", kLineWidth) + TimeHeads(page_);
    if (show_total_) text += PadLeft("total s", kSecondsWidth);
    // The legend's width is without colour.
    const bool fits = Width(BarLegend(Ink({.unicode = page_.ink().unicode()}))) <= SourceWidth();
    return page_.ink()(Tone::kFaint, text) + std::string(2 + page_.bar_cells(), ' ') + separator_ +
           (fits ? BarLegend(page_.ink()) : "");
  }

  std::string Numbers(const SourceRow& row) const {
    const std::string number = row.number == 0 ? "-" : fmt::format("{}", row.number);
    std::string text = PadLeft(number, kLineWidth);
    if (row.stats == nullptr) return text;
    text += TimeColumns(page_, row.stats->scoped);
    if (show_total_) text += page_.SecondsColumn(row.stats->total.cpu.ns);
    return text;
  }

  std::string RowText(const SourceRow& row) const {
    const bool unicode = page_.ink().unicode();
    const std::string blank_bar(page_.bar_cells(), ' ');
    if (row.number == 0 && row.stats == nullptr) {
      const std::string mark(row.gap ? page_.ink().Glyph("…", "...") : "");
      return page_.ink()(Tone::kFaint, PadLeft(mark, kLineWidth)) +
             std::string(NumbersWidth() - kLineWidth + 2, ' ') + blank_bar + separator_;
    }
    const bool has_time = row.stats != nullptr && !row.stats->scoped.empty();
    const bool hot = has_time && page_.IsHot(row.stats->scoped);
    const Tone tone = hot ? Tone::kHot : has_time ? Tone::kPlain : Tone::kFaint;
    const std::string source = CutRight(SourceText(row), SourceWidth(), unicode);
    return page_.ink()(tone, Fit(Numbers(row), NumbersWidth(), unicode)) + "  " +
           (has_time ? page_.Bar(row.stats->scoped) : blank_bar) + separator_ +
           page_.ink()(tone, source);
  }

  std::string SourceText(const SourceRow& row) const {
    if (row.text != nullptr) return page_.Text(*row.text);
    if (row.number == 0) return "(no line number) in " + page_.Text(row.stats->function);
    return "in " + page_.Text(row.stats->function);
  }

  // What the lines that are not shown have together, so that the table adds up.
  void PrintRest(const std::vector<SourceRow>& rows) {
    Breakdown rest;
    size_t count = 0;
    for (const LineStats& line : file_.lines) {
      const bool shown = std::any_of(rows.begin(), rows.end(),
                                     [&](const SourceRow& row) { return row.stats == &line; });
      if (shown || line.scoped.empty()) continue;
      rest.Add(line.scoped);
      ++count;
    }
    if (count == 0) return;
    SetIntervals(rest, page_.view().total);
    const std::string columns = std::string(kLineWidth, ' ') + TimeColumns(page_, rest);
    page_.Line(
        page_.ink()(Tone::kFaint, Fit(columns, NumbersWidth(), page_.ink().unicode())) + "  " +
        page_.Bar(rest) + separator_ +
        page_.ink()(Tone::kFaint, fmt::format("({} more line{})", count, count == 1 ? "" : "s")));
  }

  Page& page_;
  const FileStats& file_;
  const bool show_total_;
  const std::string separator_;
};

}  // namespace

void PrintFiles(Page& page) {
  const std::vector<const FileStats*> shown = ShownFiles(page);
  PrintRanking(page, shown);
  if (!page.report().lines_restricted) {
    for (const FileStats* file : shown) LineTable(page, *file).Print();
    return;
  }
  // However little time they took: somebody has asked for them.
  for (const FileStats& file : page.view().files) {
    const auto has_time = [](const LineStats& line) { return !line.scoped.empty(); };
    if (std::any_of(file.lines.begin(), file.lines.end(), has_time)) LineTable(page, file).Print();
  }
}

}  // namespace pyrometer::tui
