// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include "tui/page/listed.h"
#include "tui/sections/sections.h"
#include "tui/text/number.h"
#include "tui/text/sparkline.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

using analyze::LeakStats;
using analyze::LineRef;
using analyze::LineStats;
using analyze::MemoryLevels;
using analyze::MemoryStats;
using analyze::MemorySum;
using analyze::ViewMemory;

constexpr double kWorthPercent = 1;
constexpr size_t kMaxRows = 12;
constexpr size_t kBarCells = 6;
constexpr size_t kSparkCells = 40;

double Double(uint64_t value) { return static_cast<double>(value); }

double PercentOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100 * Double(part) / Double(whole);
}

// Half of the interval, kMegabytesWidth wide; blank where it is known exactly.
std::string ErrorColumn(const Page& page, const MemorySum& sum) {
  const analyze::Interval range = sum.Range();
  const std::string text = Megabytes((range.high - range.low) / 2);
  return PadLeft(text.empty() ? "" : std::string(page.ink().Glyph("±", "+-")) + text,
                 kMegabytesWidth);
}

std::string PlaceText(const Page& page, const analyze::Place& place) {
  return fmt::format("{}  {}:{}", page.Text(place.function), page.Path(place.path), place.line);
}

std::string PlaceText(const Page& page, const LineRef& ref) {
  const LineStats& line = page.view().Line(ref);
  return PlaceText(page, {page.view().files[ref.file].path, line.function, line.line});
}

bool IsListed(const Page& page, const LineRef& ref) {
  return page.listing().Has(page.view().files[ref.file].path, page.view().Line(ref).function);
}

void PrintCut(Page& page, const std::string& text) {
  page.Line(CutRight(text, page.width(), page.ink().unicode()));
}

void PrintHeads(Page& page, const std::string& heads) {
  page.Line(page.ink()(Tone::kFaint, CutRight(heads, page.width(), page.ink().unicode())));
}

// Resident memory and what it is made of, at the peak and at the end, over time.
class LevelChart {
 public:
  explicit LevelChart(Page& page) : page_(page), memory_(page.view().memory) {
    for (const MemoryLevels& level : memory_.levels)
      full_ = std::max({full_, level.rss_bytes, level.in_use()});
  }

  void Print() {
    if (!memory_.peak_levels || !memory_.end_levels) return;
    const std::string heads =
        std::string(kNameWidth, ' ') + PadLeft("peak MB", kMegabytesWidth) +
        PadLeft("end MB", kMegabytesWidth) +
        fmt::format("  peak at {}, end at {}", Duration(memory_.peak_levels->time_ns),
                    Duration(memory_.end_levels->time_ns));
    PrintHeads(page_, heads);
    Row("resident (RSS)", [](const MemoryLevels& l) { return l.rss_bytes; });
    Row("  Python, live", [](const MemoryLevels& l) { return l.python_bytes; });
    Row("  native, live", [](const MemoryLevels& l) { return l.native_bytes; });
    Row("  mapped", [](const MemoryLevels& l) { return l.mapped_bytes; });
    Row("  arenas, free", [](const MemoryLevels& l) { return l.arena_slack(); });
    Row("  rest", [](const MemoryLevels& l) {
      return static_cast<uint64_t>(std::max<int64_t>(0, l.rest()));
    });
    Row("  not resident", [](const MemoryLevels& l) { return l.not_resident(); }, "-");
    // It is dear to ask for, so not all levels have it.
    if (memory_.peak_levels->pss_bytes != 0 && memory_.end_levels->pss_bytes != 0)
      Row("its share (PSS)", [](const MemoryLevels& l) { return l.pss_bytes; });
  }

 private:
  static constexpr size_t kNameWidth = 17;

  template <class Get>
  void Row(const char* name, Get get, const char* sign = "") {
    const uint64_t peak = get(*memory_.peak_levels), end = get(*memory_.end_levels);
    if (peak == 0 && end == 0) return;
    std::vector<uint64_t> values;
    for (const MemoryLevels& level : memory_.levels) values.push_back(get(level));
    const auto number = [&](uint64_t bytes) {
      return PadLeft(bytes == 0 ? "" : sign + Megabytes(Double(bytes)), kMegabytesWidth);
    };
    const std::string left =
        Fit(name, kNameWidth, page_.ink().unicode()) + number(peak) + number(end) + "  ";
    const size_t cells = std::min(kSparkCells, page_.width() - Width(left));
    page_.Line(left + page_.ink()(Tone::kFaint, Sparkline(values, full_, cells, page_.ink())));
  }

  Page& page_;
  const ViewMemory& memory_;
  uint64_t full_ = 0;
};

// Allocators that the program has brought with it.
void PrintAllocators(Page& page) {
  std::set<std::string> names;
  for (const analyze::Counter& fact : page.report().facts)
    if (fact.key.counter == metric::Counter::kMallocLibrary) names.insert(SentenceOf(fact.key));
  for (const std::string& name : names) PrintCut(page, page.Text(name));
}

void PrintSummary(Page& page) {
  const ViewMemory& memory = page.view().memory;
  page.Title("Memory", "MB are 1,000,000 bytes");
  LevelChart(page).Print();
  const double growth = memory.growth_bytes_per_second;
  std::string text = fmt::format("allocated {} in {} blocks", Bytes(memory.total.allocated.bytes()),
                                 Count(memory.total.allocated.all().blocks));
  if (memory.total.average_bytes > 0)
    text += fmt::format(", {} in use on average", Bytes(memory.total.average_bytes));
  // Less than a hundredth of what is in use in the whole run is no growth.
  const double run_s = Double(page.view().elapsed_ns) * 1e-9;
  if (std::abs(growth) * run_s * 100 >= Double(memory.total.own_peak_bytes))
    text += fmt::format(", {} by {}/s after the first third", growth < 0 ? "falling" : "growing",
                        Bytes(analyze::WholeBytes(std::abs(growth))));
  page.Paragraph(Tone::kFaint, text);
  PrintAllocators(page);
}

void PrintMostMemory(Page& page) {
  const analyze::View& view = page.view();
  std::vector<LineRef> rows;
  for (const LineRef& ref : view.memory.lines)
    if (IsListed(page, ref) && page.IsWorth(view.Line(ref).memory.scoped(), kWorthPercent))
      rows.push_back(ref);
  if (rows.empty()) return;
  page.Title("Most memory",
             fmt::format("live when most was in use, at {}", Duration(view.memory.peak_ns)));
  PrintHeads(page, PadLeft("live MB", kMegabytesWidth) + PadLeft("%", kPercentWidth) +
                       PadLeft(page.ink().Glyph("±", "+-"), kMegabytesWidth) +
                       PadLeft("own peak", kMegabytesWidth + 1) +
                       PadLeft("allocated", kMegabytesWidth + 1) + std::string(2 + kBarCells, ' ') +
                       "  line");
  const size_t shown = std::min(rows.size(), kMaxRows);
  for (const LineRef& ref : std::span(rows).first(shown)) {
    const MemoryStats& stats = view.Line(ref).memory.scoped();
    const uint64_t live = stats.at_peak.bytes();
    const std::string numbers =
        page.MegabytesColumn(Double(live)) +
        page.PercentColumn(PercentOf(live, view.memory.total.at_peak.bytes())) +
        ErrorColumn(page, stats.at_peak.all()) + " " +
        page.MegabytesColumn(Double(stats.own_peak_bytes)) + " " +
        page.MegabytesColumn(Double(stats.allocated.bytes()));
    const size_t room = page.width() - Width(numbers) - 2 - kBarCells - 2;
    page.Line(page.ink()(page.IsHot(stats) ? Tone::kHot : Tone::kPlain, numbers) + "  " +
              page.MemoryBar(stats, kBarCells) + "  " +
              CutRight(PlaceText(page, ref), room, page.ink().unicode()));
  }
  page.More(rows.size(), shown);
}

// "main:30 > handle:18", without the line that has the row.
std::string CallersText(const Page& page, const LeakStats& leak) {
  std::string text;
  for (const analyze::Place& place : leak.stack) {
    if (place == leak.place) break;
    text += (text.empty() ? "" : std::string(page.ink().Glyph(" › ", " > "))) +
            fmt::format("{}:{}", page.Text(place.function), place.line);
  }
  return text;
}

void PrintGrowing(Page& page) {
  const std::vector<const LeakStats*> leaks = ListedLeaks(page);
  if (leaks.empty()) return;
  page.Title("Memory that keeps growing", "a leak, or what is collected on purpose");
  PrintHeads(page, PadLeft("growth/s", 10) + PadLeft("from", 8) + PadLeft("to", 8) +
                       PadLeft("sure %", 8) + PadLeft("live MB", kMegabytesWidth) +
                       PadLeft("stays %", 9) + "  line");
  const size_t shown = std::min(leaks.size(), kMaxRows);
  const auto rate = [](double bytes) { return Bytes(analyze::WholeBytes(bytes)); };
  for (const LeakStats* shown_leak : std::span(leaks).first(shown)) {
    const LeakStats& leak = *shown_leak;
    const std::string numbers =
        PadLeft(rate(leak.bytes_per_second), 10) + PadLeft(rate(leak.low_bytes_per_second), 8) +
        PadLeft(rate(leak.high_bytes_per_second), 8) + PadLeft(SureText(leak), 8) +
        page.MegabytesColumn(Double(leak.live.bytes)) +
        PadLeft(Percent(leak.SurvivalPercent()), 9) + "  ";
    PrintCut(page, numbers + PlaceText(page, leak.place));
    std::string more = TypesText(page, leak);
    if (const std::string callers = CallersText(page, leak); !callers.empty())
      more += (more.empty() ? "in " : "; in ") + callers;
    if (leak.processes > 1)
      more += fmt::format("{}{} processes", more.empty() ? "" : "; ", leak.processes);
    if (!more.empty())
      page.Line(page.ink()(
          Tone::kFaint, CutRight(std::string(12, ' ') + more, page.width(), page.ink().unicode())));
  }
  page.More(leaks.size(), shown);
}

void PrintCopies(Page& page) {
  const analyze::View& view = page.view();
  if (!page.has_copies()) return;
  std::vector<LineRef> rows;
  for (const LineRef& ref : view.memory.copies)
    if (IsListed(page, ref) && PercentOf(view.Line(ref).memory.scoped().copied.bytes,
                                         view.memory.total.copied.bytes) >= kWorthPercent)
      rows.push_back(ref);
  if (rows.empty()) return;
  page.Title(
      "Copies",
      fmt::format("{} in all, {}/s", Bytes(view.memory.total.copied.bytes),
                  Bytes(analyze::WholeBytes(page.PerSecond(view.memory.total.copied.bytes)))));
  PrintHeads(page, PadLeft("MB", kMegabytesWidth) + PadLeft("%", kPercentWidth) +
                       PadLeft(page.ink().Glyph("±", "+-"), kMegabytesWidth) +
                       PadLeft("MB/s", kMegabytesWidth) + "  line");
  const size_t shown = std::min(rows.size(), kMaxRows);
  for (const LineRef& ref : std::span(rows).first(shown)) {
    const MemoryStats& stats = view.Line(ref).memory.scoped();
    std::string row =
        page.MegabytesColumn(Double(stats.copied.bytes)) +
        page.PercentColumn(PercentOf(stats.copied.bytes, view.memory.total.copied.bytes)) +
        ErrorColumn(page, stats.copied) + page.MegabytesColumn(page.PerSecond(stats.copied.bytes)) +
        "  " + PlaceText(page, ref);
    if (2 * stats.copied_by_element.bytes >= stats.copied.bytes)
      row += "  by element";
    else if (stats.CopiesWhatItAllocates())
      row += "  allocates as much";
    PrintCut(page, row);
  }
  page.More(rows.size(), shown);
}

void PrintMemoryThreads(Page& page) {
  std::vector<const analyze::ThreadStats*> rows;
  for (const analyze::ThreadStats& thread : page.view().threads)
    if (page.IsWorth(thread.memory, kWorthPercent)) rows.push_back(&thread);
  if (rows.size() < 2) return;
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    return a->memory.allocated.bytes() > b->memory.allocated.bytes();
  });
  page.Title("Memory by thread", "of what each allocated, whoever gave it back");
  page.Line(page.ink()(
      Tone::kFaint,
      PadLeft("tid", 8) + "  " + Fit("name", 15, page.ink().unicode()) +
          PadLeft("alloc MB", kMegabytesWidth + 1) + PadLeft("at peak", kMegabytesWidth + 1) +
          PadLeft("at end", kMegabytesWidth + 1) + PadLeft("copied", kMegabytesWidth + 1)));
  const size_t shown = std::min(rows.size(), kMaxRows);
  for (const analyze::ThreadStats* thread : std::span(rows).first(shown)) {
    const MemoryStats& stats = thread->memory;
    std::string row = PadLeft(fmt::format("{}", thread->tid), 8) + "  " +
                      Fit(page.Text(thread->name), 15, page.ink().unicode());
    for (const uint64_t bytes :
         {stats.allocated.bytes(), stats.at_peak.bytes(), stats.at_end.bytes(), stats.copied.bytes})
      row += " " + page.MegabytesColumn(Double(bytes));
    PrintCut(page, row);
  }
  page.More(rows.size(), shown);
}

}  // namespace

void PrintMemory(Page& page) {
  if (!page.memory_matters()) return;
  if (!page.listing().restricted()) PrintSummary(page);
  PrintMostMemory(page);
  PrintGrowing(page);
  PrintCopies(page);
  if (!page.listing().restricted()) PrintMemoryThreads(page);
}

}  // namespace pyrometer::tui
