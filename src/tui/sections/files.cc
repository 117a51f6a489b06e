// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "analyze/views/hot_lines.h"
#include "tui/sections/memory_columns.h"
#include "tui/sections/sections.h"
#include "tui/sections/source_rows.h"
#include "tui/text/bar.h"
#include "tui/text/number.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

using analyze::Breakdown;
using analyze::FileStats;
using analyze::LineStats;

// Lines that may be shown, where not all may.
using Wanted = std::optional<std::set<const LineStats*>>;

constexpr size_t kLineWidth = 6;
// Columns of page from which there is room; the source text needs some, too.
constexpr size_t kTotalColumnFrom = 120;
constexpr size_t kErrorColumnFrom = 110;
constexpr size_t kMemoryTakes = 60;

bool HasRoom(const Page& page, size_t from) {
  return page.width() >= from + (page.memory_matters() ? kMemoryTakes : 0);
}

// Whether a line or a file has time or memory of its own.
template <class Row>
bool HasScoped(const Row& row) {
  return !row.scoped.empty() || !row.memory.scoped().empty();
}
template <class Row>
bool IsWorth(const Page& page, const Row& row) {
  const double percent = page.listing().threshold_percent;
  return page.IsWorth(row.scoped, percent) || page.IsWorth(row.memory.scoped(), percent);
}

// Whether a file has a line that is listed, and counts.
bool HasListedLine(const Page& page, const FileStats& file) {
  return page.listing().HasFile(file.path) &&
         std::any_of(file.lines.begin(), file.lines.end(), [&](const LineStats& line) {
           return HasScoped(line) && page.listing().HasFunction(line.function);
         });
}

// One sample says that a file was there, not how much it took.
bool IsWorthATable(const Page& page, const FileStats& file) {
  return IsWorth(page, file) &&
         (file.scoped.samples() >= 2 || !page.has_time() || page.IsWorth(file.memory.scoped(), 1));
}

// Files worth a table of their own, in the order of the ranking: at least the
// first, and all that somebody has asked for.
std::vector<const FileStats*> ShownFiles(const Page& page, const Wanted& wanted) {
  std::vector<const FileStats*> ranked, shown;
  for (const FileStats& file : page.view().files) {
    if (page.listing().restricted() ? HasListedLine(page, file) : file.in_scope && HasScoped(file))
      ranked.push_back(&file);
  }
  // In the report's order where they are equal.
  std::stable_sort(ranked.begin(), ranked.end(), [&](const FileStats* a, const FileStats* b) {
    const auto value = [&](const FileStats* file) {
      return ValueOf(page.metric(), file->scoped, file->memory.scoped());
    };
    return value(a) > value(b);
  });
  for (const FileStats* file : ranked) {
    const bool is_shown =
        wanted ? std::any_of(file->lines.begin(), file->lines.end(),
                             [&](const LineStats& line) { return wanted->contains(&line); })
               : shown.empty() || page.listing().restricted() || IsWorthATable(page, *file);
    if (is_shown) shown.push_back(file);
  }
  return shown;
}

// Where only so many lines are wanted, those, else nothing.
Wanted WantedLines(const Page& page) {
  if (!page.listing().max_lines) return std::nullopt;
  std::set<const LineStats*> wanted;
  for (const analyze::LineRef& ref : RankLines(page.view(), page.metric())) {
    if (wanted.size() == *page.listing().max_lines) break;
    const LineStats& line = page.view().Line(ref);
    if (page.listing().Has(page.view().files[ref.file].path, line.function)) wanted.insert(&line);
  }
  return wanted;
}

// Columns of times of which a table has some: those of others would be empty.
struct TimeKinds {
  bool waits, gc, awaits, workers;

  static TimeKinds Of(const Page& page) {
    return {page.has_waits(), page.has_gc(), page.has_awaits(), page.has_workers()};
  }
  size_t count() const { return size_t{waits} + size_t{gc} + size_t{awaits} + size_t{workers}; }
};

// The columns that files and lines have in common, without the bar.
std::string TimeColumns(const Page& page, const TimeKinds& kinds, const Breakdown& time) {
  if (!page.has_time()) return "";
  std::string text = page.SecondsColumn(time.cpu().ns);
  text += page.PercentColumn(page.view().CpuPercent(time.cpu().ns));
  if (HasRoom(page, kErrorColumnFrom)) text += page.ErrorColumn(time.cpu());
  if (kinds.workers) text += page.SecondsColumn(time.worker_ns());
  if (kinds.waits) text += page.SecondsColumn(time.wait().ns);
  if (kinds.gc) text += page.SecondsColumn(time.gc_ns());
  if (kinds.awaits) text += page.AwaitColumn(time.await_ns());
  return text;
}

std::string TimeHeads(const Page& page, const TimeKinds& kinds) {
  if (!page.has_time()) return "";
  std::string text = PadLeft("CPU s", kSecondsWidth) + PadLeft("%", kPercentWidth);
  if (HasRoom(page, kErrorColumnFrom)) {
    text += PadLeft(page.ink().Glyph("±", "+-"), kErrorWidth);
  }
  if (kinds.workers) text += PadLeft("workers", kSecondsWidth);
  if (kinds.waits) text += PadLeft("wait s", kSecondsWidth);
  if (kinds.gc) text += PadLeft("GC s", kSecondsWidth);
  if (kinds.awaits) text += PadLeft("await s", kSecondsWidth);
  return text;
}

// A bar of time after two blanks, where there is time.
std::string TimeBar(const Page& page, const Breakdown& time) {
  return page.has_time() ? "  " + page.Bar(time) : "";
}
size_t TimeBarWidth(const Page& page) { return page.has_time() ? 2 + page.bar_cells() : 0; }

// `memory` is null where there is none, or no sum that means anything.
void PrintFileRow(Page& page, const std::string& name, const Breakdown& time,
                  const analyze::MemoryStats* memory, Tone tone) {
  const MemoryColumns columns(page);
  const std::string numbers = TimeColumns(page, TimeKinds::Of(page), time);
  const size_t used = Width(numbers) + TimeBarWidth(page) + columns.width() + 2;
  page.Line(page.ink()(tone, numbers) + TimeBar(page, time) + columns.Row(memory) + "  " +
            CutLeft(name, page.width() - used, page.ink().unicode()));
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
  const analyze::ViewMemory& memory = page.view().memory;
  const bool has_outside = !outside.empty() || (page.memory_matters() && !memory.outside.empty());
  const double percent = page.listing().threshold_percent;
  const bool alone = !page.IsWorth(outside, percent) && !page.IsWorth(memory.outside, percent);
  if (shown.size() + other_count < 2 && alone) return;
  page.Title("Files");
  page.Line(page.ink()(Tone::kFaint, TimeHeads(page, TimeKinds::Of(page)) +
                                         std::string(TimeBarWidth(page), ' ') +
                                         MemoryColumns(page).Heads()));
  for (const FileStats* file : shown) {
    PrintFileRow(page, page.Path(file->path), file->scoped, &file->memory.scoped(),
                 page.IsHot(file->scoped) ? Tone::kHot : Tone::kPlain);
  }
  if (other_count > 0) {
    PrintFileRow(page,
                 fmt::format("({} more {})", other_count, other_count == 1 ? "file" : "files"),
                 others, nullptr, Tone::kFaint);
  }
  if (has_outside) {
    PrintFileRow(page, "(outside your code)", outside, &memory.outside, Tone::kPlain);
  }
  PrintFileRow(page, "total", page.view().total, &memory.total, Tone::kStrong);
}

// The line table of one file.
class LineTable {
 public:
  LineTable(Page& page, const FileStats& file, const Wanted& wanted)
      : page_(page),
        file_(file),
        wanted_(wanted),
        show_total_(page.has_time() && HasRoom(page, kTotalColumnFrom)),
        separator_(page.ink()(Tone::kFaint, page.ink().Glyph(" │ ", " | "))) {
    source_ = file.source ? &page.report().sources[*file.source] : nullptr;
    rows_ = ChooseRows(file_, source_, page_.listing().reduced,
                       [this](const LineStats& line) { return Interest(line); });
    SumRest();
    ChooseColumns();
  }

  void Print() {
    page_.Title(page_.Path(file_.path), source_ == nullptr ? "(no source text)" : "");
    page_.Line(Heads());
    for (const SourceRow& row : rows_) page_.Line(RowText(row));
    PrintRest();
  }

 private:
  LineInterest Interest(const LineStats& line) const {
    if (!page_.listing().HasFunction(line.function)) return LineInterest::kNone;
    if (wanted_) return wanted_->contains(&line) ? LineInterest::kHot : LineInterest::kNone;
    return IsWorth(page_, line) ? LineInterest::kHot : LineInterest::kSome;
  }

  // What no row has needs no column: the code has better use for the room.
  void ChooseColumns() {
    const auto has = [&](auto text) {
      const auto is_blank = [](const std::string& cell) {
        return cell.find_first_not_of(' ') == cell.npos;
      };
      return !is_blank(text(rest_)) ||
             std::any_of(rows_.begin(), rows_.end(), [&](const SourceRow& row) {
               return row.stats != nullptr && !is_blank(text(row.stats->scoped));
             });
    };
    kinds_.waits &= has([&](const Breakdown& time) { return page_.SecondsColumn(time.wait().ns); });
    kinds_.workers &=
        has([&](const Breakdown& time) { return page_.SecondsColumn(time.worker_ns()); });
    kinds_.gc &= has([&](const Breakdown& time) { return page_.SecondsColumn(time.gc_ns()); });
    kinds_.awaits &= has([&](const Breakdown& time) { return page_.AwaitColumn(time.await_ns()); });
    const bool memory = std::any_of(rows_.begin(), rows_.end(), [](const SourceRow& row) {
      return row.stats != nullptr && !row.stats->memory.scoped().empty();
    });
    memory_.emplace(page_, memory);
  }

  size_t NumbersWidth() const {
    if (!page_.has_time()) return kLineWidth;
    size_t width = kLineWidth + kSecondsWidth + kPercentWidth + kinds_.count() * kSecondsWidth;
    if (HasRoom(page_, kErrorColumnFrom)) width += kErrorWidth;
    if (show_total_) width += kSecondsWidth;
    return width;
  }
  size_t SourceWidth() const {
    return page_.width() - NumbersWidth() - TimeBarWidth(page_) - memory_->width() - 3;
  }

  std::string Heads() const {
    std::string text = PadLeft("line", kLineWidth) + TimeHeads(page_, kinds_);
    if (show_total_) text += PadLeft("total s", kSecondsWidth);
    // The legend's width is without colour.
    const Ink plain({.unicode = page_.ink().unicode()});
    const bool fits = Width(BarLegend(plain, page_.has_time())) <= SourceWidth();
    return page_.ink()(Tone::kFaint, text) + std::string(TimeBarWidth(page_), ' ') +
           page_.ink()(Tone::kFaint, memory_->Heads()) + separator_ +
           (fits ? BarLegend(page_.ink(), page_.has_time()) : "");
  }

  std::string Numbers(const SourceRow& row) const {
    const std::string number = row.number == 0 ? "-" : fmt::format("{}", row.number);
    std::string text = PadLeft(number, kLineWidth);
    if (row.stats == nullptr) return text;
    text += TimeColumns(page_, kinds_, row.stats->scoped);
    if (show_total_) text += page_.SecondsColumn(row.stats->total.cpu().ns);
    return text;
  }

  std::string RowText(const SourceRow& row) const {
    const bool unicode = page_.ink().unicode();
    const std::string blank_bar(TimeBarWidth(page_), ' ');
    if (row.number == 0 && row.stats == nullptr) {
      const std::string mark(row.gap ? page_.ink().Glyph("…", "...") : "");
      return page_.ink()(Tone::kFaint, PadLeft(mark, kLineWidth)) +
             std::string(NumbersWidth() - kLineWidth, ' ') + blank_bar + memory_->Row(nullptr) +
             separator_;
    }
    const bool has_time = row.stats != nullptr && !row.stats->scoped.empty();
    const bool hot = has_time && page_.IsHot(row.stats->scoped);
    const bool has_any = row.stats != nullptr && HasScoped(*row.stats);
    const Tone tone = hot ? Tone::kHot : has_any ? Tone::kPlain : Tone::kFaint;
    const std::string source = CutRight(SourceText(row), SourceWidth(), unicode);
    return page_.ink()(tone, Fit(Numbers(row), NumbersWidth(), unicode)) +
           (has_time ? TimeBar(page_, row.stats->scoped) : blank_bar) +
           memory_->Row(row.stats == nullptr ? nullptr : &row.stats->memory.scoped()) + separator_ +
           page_.ink()(tone, source);
  }

  std::string SourceText(const SourceRow& row) const {
    if (row.text != nullptr) return page_.Text(*row.text);
    if (row.number == 0) return "(no line number) in " + page_.Text(row.stats->function);
    return "in " + page_.Text(row.stats->function);
  }

  // What the lines that are not shown have together, so that the table adds up.
  void SumRest() {
    for (const LineStats& line : file_.lines) {
      const bool shown = std::any_of(rows_.begin(), rows_.end(),
                                     [&](const SourceRow& row) { return row.stats == &line; });
      if (shown || !HasScoped(line) || !page_.listing().HasFunction(line.function)) continue;
      rest_.Add(line.scoped);
      ++rest_count_;
    }
  }

  void PrintRest() {
    if (rest_count_ == 0) return;
    const std::string columns = std::string(kLineWidth, ' ') + TimeColumns(page_, kinds_, rest_);
    page_.Line(page_.ink()(Tone::kFaint, Fit(columns, NumbersWidth(), page_.ink().unicode())) +
               TimeBar(page_, rest_) + memory_->Row(nullptr) + separator_ +
               page_.ink()(Tone::kFaint, fmt::format("({} more line{})", rest_count_,
                                                     rest_count_ == 1 ? "" : "s")));
  }

  Page& page_;
  const FileStats& file_;
  const Wanted& wanted_;
  const bool show_total_;
  const std::string separator_;
  const analyze::SourceFile* source_ = nullptr;
  std::vector<SourceRow> rows_;
  Breakdown rest_;
  size_t rest_count_ = 0;
  TimeKinds kinds_ = TimeKinds::Of(page_);
  std::optional<MemoryColumns> memory_;
};

}  // namespace

void PrintFiles(Page& page) {
  const Wanted wanted = WantedLines(page);
  const std::vector<const FileStats*> shown = ShownFiles(page, wanted);
  if (!page.listing().restricted()) PrintRanking(page, shown);
  if (!page.report().lines_restricted) {
    for (const FileStats* file : shown) LineTable(page, *file, wanted).Print();
    return;
  }
  // However little they took: somebody has asked for them.
  for (const FileStats& file : page.view().files)
    if (HasListedLine(page, file)) LineTable(page, file, wanted).Print();
}

}  // namespace pyrometer::tui
