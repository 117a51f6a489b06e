// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "analyze/hot_lines.h"
#include "tui/bar.h"
#include "tui/listed.h"
#include "tui/number.h"
#include "tui/sections.h"
#include "tui/text.h"
#include "tui/words.h"

namespace pyrometer::tui {
namespace {

using analyze::LineRef;
using analyze::LineStats;
using analyze::Measure;

constexpr size_t kDefaultLines = 20;
// Columns of page from which there is room for more than the measure.
constexpr size_t kMoreFrom = 120, kMostFrom = 150;

// The lines of all files in one table, most first.
class FlatTable {
 public:
  explicit FlatTable(Page& page) : page_(page), view_(page.view()), measure_(page.measure()) {
    whole_ = WholeOf(measure_, view_);
    rows_ = ListedLines(page, measure_);
    if (page.width() >= kMoreFrom) ChooseMore();
  }

  void Print() {
    page_.Title("Lines", fmt::format("by {}", InfoOf(measure_).meaning));
    if (rows_.empty()) return page_.Line("none");
    const size_t shown = WorthCount(page_, measure_, rows_, kDefaultLines);
    for (const LineRef& ref : std::span(rows_).first(shown))
      place_width_ = std::max(place_width_, Width(PlaceText(ref)));
    place_width_ = std::min(place_width_, (page_.width() - NumbersWidth()) / 2);
    PrintHeads();
    for (const LineRef& ref : std::span(rows_).first(shown)) PrintLine(ref);
    PrintRest(shown);
  }

 private:
  // Other measures next to the one that ranks.
  void ChooseMore() {
    const auto add = [&](bool has, Measure measure) {
      if (has && measure != measure_) more_.push_back(measure);
    };
    add(page_.has_time(), Measure::kCpu);
    add(page_.has_waits(), Measure::kWait);
    add(page_.memory_matters() && page_.width() >= kMostFrom, Measure::kMemory);
    add(page_.memory_matters(), Measure::kAllocated);
  }

  uint64_t Value(const LineRef& ref) const {
    return analyze::ScopedValue(measure_, view_.Line(ref));
  }
  double PercentOf(uint64_t value) const {
    return whole_ == 0 ? 0 : 100.0 * static_cast<double>(value) / static_cast<double>(whole_);
  }
  size_t NumbersWidth() const {
    return kMeasureWidth + kPercentWidth + 2 + page_.bar_cells() + more_.size() * kMeasureWidth + 2;
  }

  std::string PlaceText(const LineRef& ref) const {
    const LineStats& line = view_.Line(ref);
    return fmt::format("{}:{}", page_.Path(view_.files[ref.file].path),
                       line.line == 0 ? "-" : std::to_string(line.line));
  }

  std::string Bar(const LineStats& line) const {
    if (analyze::IsMemory(measure_)) {
      const analyze::MemoryStats& memory = line.memory.scoped;
      const bool live = measure_ == Measure::kMemory;
      return MemoryBar(analyze::ScopedValue(measure_, line),
                       live ? memory.at_peak : memory.allocated, whole_, page_.bar_cells(),
                       page_.ink());
    }
    return page_.Bar(line.scoped);
  }

  std::string More(const analyze::Breakdown& time, const analyze::MemoryStats& memory) const {
    std::string text;
    for (const Measure measure : more_)
      text += page_.MeasureColumn(measure, ValueOf(measure, time, memory));
    return text;
  }

  void PrintHeads() {
    std::string text = PadLeft(HeadOf(measure_), kMeasureWidth) + PadLeft("%", kPercentWidth) +
                       std::string(2 + page_.bar_cells(), ' ');
    for (const Measure measure : more_) text += PadLeft(HeadOf(measure), kMeasureWidth);
    page_.Line(
        page_.ink()(Tone::kFaint, text + "  " + Fit("line", place_width_, false) + "  code"));
  }

  void PrintLine(const LineRef& ref) {
    const LineStats& line = view_.Line(ref);
    const bool unicode = page_.ink().unicode();
    const bool hot =
        analyze::IsMemory(measure_) ? page_.IsHot(line.memory.scoped) : page_.IsHot(line.scoped);
    const Tone tone = hot ? Tone::kHot : Tone::kPlain;
    const std::string place = CutLeft(PlaceText(ref), place_width_, unicode);
    const size_t used = NumbersWidth() + place_width_ + 2;
    page_.Line(page_.ink()(tone, page_.MeasureColumn(measure_, Value(ref)) +
                                     page_.PercentColumn(PercentOf(Value(ref)))) +
               "  " + Bar(line) + More(line.scoped, line.memory.scoped) + "  " +
               page_.ink()(tone, Fit(place, place_width_, unicode)) + "  " +
               page_.ink()(tone, CutRight(CodeText(page_, ref), page_.width() - used, unicode)));
  }

  void PrintSum(uint64_t value, const std::string& name, Tone tone) {
    if (value == 0) return;
    const std::string blank(2 + page_.bar_cells() + more_.size() * kMeasureWidth + 2, ' ');
    page_.Line(page_.ink()(tone, page_.MeasureColumn(measure_, value) +
                                     page_.PercentColumn(PercentOf(value)) + blank + name));
  }

  // What is not shown, so that the table adds up.
  void PrintRest(size_t shown) {
    uint64_t rest = 0;
    for (const LineRef& ref : std::span(rows_).subspan(shown)) rest += Value(ref);
    const size_t count = rows_.size() - shown;
    PrintSum(rest, fmt::format("({} more line{})", count, count == 1 ? "" : "s"), Tone::kFaint);
    if (!page_.listing().restricted() && !page_.report().lines_restricted)
      PrintSum(ValueOf(measure_, view_.outside, view_.memory.outside), "(outside your code)",
               Tone::kPlain);
    PrintSum(whole_, "total", Tone::kStrong);
  }

  Page& page_;
  const analyze::View& view_;
  const Measure measure_;
  uint64_t whole_ = 0;
  std::vector<LineRef> rows_;
  std::vector<Measure> more_;
  size_t place_width_ = 4;
};

}  // namespace

void PrintFlat(Page& page) { FlatTable(page).Print(); }

}  // namespace pyrometer::tui
