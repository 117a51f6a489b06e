// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "analyze/views/hot_lines.h"
#include "tui/page/listed.h"
#include "tui/sections/sections.h"
#include "tui/text/bar.h"
#include "tui/text/number.h"
#include "tui/text/text.h"
#include "tui/text/words.h"

namespace pyrometer::tui {
namespace {

using analyze::LineRef;
using analyze::LineStats;
using metric::Metric;

constexpr size_t kDefaultLines = 20;
// Columns of page from which there is room for more than the metric.
constexpr size_t kMoreFrom = 120, kMostFrom = 150;

// The lines of all files in one table, most first.
class FlatTable {
 public:
  explicit FlatTable(Page& page) : page_(page), view_(page.view()), metric_(page.metric()) {
    whole_ = WholeOf(metric_, view_);
    rows_ = ListedLines(page, metric_);
    if (page.width() >= kMoreFrom) ChooseMore();
  }

  void Print() {
    page_.Title("Lines", page_.Text(RankedBy(page_.InfoOf(metric_))));
    if (rows_.empty()) return page_.Line("none");
    const size_t shown = WorthCount(page_, metric_, rows_, kDefaultLines);
    for (const LineRef& ref : std::span(rows_).first(shown))
      place_width_ = std::max(place_width_, Width(PlaceText(ref)));
    place_width_ = std::min(place_width_, (page_.width() - NumbersWidth()) / 2);
    PrintHeads();
    for (const LineRef& ref : std::span(rows_).first(shown)) PrintLine(ref);
    PrintRest(shown);
  }

 private:
  // Other metrics next to the one that ranks.
  void ChooseMore() {
    const auto add = [&](bool has, Metric metric) {
      if (has && metric != metric_) more_.push_back(metric);
    };
    add(page_.has_time(), Metric::kCpu);
    add(page_.has_waits(), Metric::kWait);
    add(page_.memory_matters() && page_.width() >= kMostFrom, Metric::kLiveAtPeak);
    add(page_.memory_matters(), Metric::kAllocated);
    for (const metric::Info& info : page_.report().metrics.declared())
      add((more_.size() + 1) * kMetricWidth <= page_.width() / 3, info.metric);
  }

  uint64_t Value(const LineRef& ref) const {
    return analyze::ScopedValue(metric_, view_.Line(ref));
  }
  double PercentOf(uint64_t value) const {
    return whole_ == 0 ? 0 : 100.0 * static_cast<double>(value) / static_cast<double>(whole_);
  }
  size_t NumbersWidth() const {
    return kMetricWidth + kPercentWidth + 2 + page_.bar_cells() + more_.size() * kMetricWidth + 2;
  }

  std::string PlaceText(const LineRef& ref) const {
    const LineStats& line = view_.Line(ref);
    return fmt::format("{}:{}", page_.Path(view_.files[ref.file].path),
                       line.line == 0 ? "-" : std::to_string(line.line));
  }

  std::string Bar(const LineStats& line) const {
    if (metric::IsMemory(metric_)) {
      const analyze::MemoryStats& memory = line.memory.scoped();
      const bool live = metric_ == Metric::kLiveAtPeak;
      return MemoryBar(analyze::ScopedValue(metric_, line),
                       live ? memory.at_peak : memory.allocated, whole_, page_.bar_cells(),
                       page_.ink());
    }
    return page_.Bar(line.scoped);
  }

  std::string More(const analyze::Breakdown& time, const analyze::MemoryStats& memory) const {
    std::string text;
    for (const Metric metric : more_)
      text += page_.MetricColumn(metric, ValueOf(metric, time, memory));
    return text;
  }

  void PrintHeads() {
    std::string text = page_.MetricHead(metric_) + PadLeft("%", kPercentWidth) +
                       std::string(2 + page_.bar_cells(), ' ');
    for (const Metric metric : more_) text += page_.MetricHead(metric);
    page_.Line(
        page_.ink()(Tone::kFaint, text + "  " + Fit("line", place_width_, false) + "  code"));
  }

  void PrintLine(const LineRef& ref) {
    const LineStats& line = view_.Line(ref);
    const bool unicode = page_.ink().unicode();
    const bool hot =
        metric::IsMemory(metric_) ? page_.IsHot(line.memory.scoped()) : page_.IsHot(line.scoped);
    const Tone tone = hot ? Tone::kHot : Tone::kPlain;
    const std::string place = CutLeft(PlaceText(ref), place_width_, unicode);
    const size_t used = NumbersWidth() + place_width_ + 2;
    page_.Line(page_.ink()(tone, page_.MetricColumn(metric_, Value(ref)) +
                                     page_.PercentColumn(PercentOf(Value(ref)))) +
               "  " + Bar(line) + More(line.scoped, line.memory.scoped()) + "  " +
               page_.ink()(tone, Fit(place, place_width_, unicode)) + "  " +
               page_.ink()(tone, CutRight(CodeText(page_, ref), page_.width() - used, unicode)));
  }

  void PrintSum(uint64_t value, const std::string& name, Tone tone) {
    if (value == 0) return;
    const std::string blank(2 + page_.bar_cells() + more_.size() * kMetricWidth + 2, ' ');
    page_.Line(page_.ink()(tone, page_.MetricColumn(metric_, value) +
                                     page_.PercentColumn(PercentOf(value)) + blank + name));
  }

  // What is not shown, so that the table adds up.
  void PrintRest(size_t shown) {
    uint64_t rest = 0;
    for (const LineRef& ref : std::span(rows_).subspan(shown)) rest += Value(ref);
    const size_t count = rows_.size() - shown;
    PrintSum(rest, fmt::format("({} more line{})", count, count == 1 ? "" : "s"), Tone::kFaint);
    if (!page_.listing().restricted() && !page_.report().lines_restricted)
      PrintSum(ValueOf(metric_, view_.outside, view_.memory.outside), "(outside your code)",
               Tone::kPlain);
    PrintSum(whole_, "total", Tone::kStrong);
  }

  Page& page_;
  const analyze::View& view_;
  const Metric metric_;
  uint64_t whole_ = 0;
  std::vector<LineRef> rows_;
  std::vector<Metric> more_;
  size_t place_width_ = 4;
};

}  // namespace

void PrintFlat(Page& page) { FlatTable(page).Print(); }

}  // namespace pyrometer::tui
