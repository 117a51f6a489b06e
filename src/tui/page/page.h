// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "analyze/report/report.h"
#include "tui/page/listing.h"
#include "tui/text/ink.h"
#include "tui/text/report_style.h"

namespace pyrometer::tui {

// What all sections of one printed report share: the report, the style, and
// decisions that must be the same in every table.
//
// Lives for one PrintReport; refers to the report, style, listing and stream.
class Page {
 public:
  Page(std::ostream& out, const analyze::Report& report, const ReportStyle& style,
       const Listing& listing);

  const analyze::Report& report() const { return report_; }
  const analyze::View& view() const { return report_.merged; }
  const ReportStyle& style() const { return style_; }
  const Listing& listing() const { return listing_; }
  // What rankings go by.
  metric::Metric metric() const { return metric_; }
  const metric::Info& InfoOf(metric::Metric metric) const { return report_.metrics[metric]; }
  // As a head of a column that is as wide as the numbers below it.
  std::string MetricHead(metric::Metric metric) const;
  const Ink& ink() const { return ink_; }
  size_t width() const { return width_; }

  // Whether time was recorded, and memory.
  bool has_time() const { return view().total.has_time(); }
  bool has_memory() const { return view().memory.recorded && !view().memory.total.empty(); }
  // Whether that is worth tables and columns: next to time, a few megabytes that
  // stay the same are not.
  bool memory_matters() const { return memory_matters_; }
  // Whether copies of memory are worth a table.
  bool has_copies() const { return has_copies_; }
  // Whether there were waits worth a column.
  bool has_waits() const { return has_waits_; }
  // Whether garbage collection is worth a column, and there is room.
  bool has_gc() const { return has_gc_; }
  // Whether tasks that wait are worth a column, and there is room.
  bool has_awaits() const { return has_awaits_; }
  // Whether lines get a column with the CPU time of their workers.
  bool has_workers() const { return has_workers_; }
  // Cells of the bars in tables.
  size_t bar_cells() const { return bar_cells_; }
  uint64_t total_heat_ns() const { return view().total.time_ns(); }
  // At least a third of the run, or of its CPU time where that matters.
  bool IsHot(const analyze::Breakdown& time) const;
  // At least `percent` of the run: of CPU time, or of elapsed time in waits and awaits.
  bool IsWorth(const analyze::Breakdown& time, double percent) const;
  // At least `percent` of what was in use at most, allocated or copied, and no trifle.
  bool IsWorth(const analyze::MemoryStats& memory, double percent) const;
  // At least a third of what was in use at most.
  bool IsHot(const analyze::MemoryStats& memory) const;

  // Untrusted text, made printable.
  std::string Text(std::string_view text) const;
  // A path as people say it: relative to where the program was started, of
  // libraries to where they are installed.
  std::string Path(std::string_view path) const;
  // Column of seconds, or megabytes, kMetricWidth wide; blank for none.
  std::string MetricColumn(metric::Metric metric, uint64_t value) const;
  // Column of seconds, kSecondsWidth wide; blank for none.
  std::string SecondsColumn(uint64_t ns) const;
  // The same for time of tasks, of which there may be very many.
  std::string AwaitColumn(uint64_t ns) const;
  // Column of percent, kPercentWidth wide.
  std::string PercentColumn(double percent) const;
  // "±2.1", kErrorWidth wide: half of the interval in percent of CPU time.
  std::string ErrorColumn(const analyze::Amount& cpu) const;
  std::string Bar(const analyze::Breakdown& time) const;
  // Column of megabytes, kMegabytesWidth wide; blank for none.
  std::string MegabytesColumn(double bytes) const;
  // A bar of most memory at once, against that of the program.
  // "121 MB ±1.7 MB"; the second part only where it matters. `sign`: instead of that one.
  std::string BytesWithError(const analyze::MemorySum& sum, std::string_view sign = {}) const;
  std::string MemoryBar(const analyze::MemoryStats& memory, size_t cells) const;
  // Bytes in the run, as bytes a second of it.
  double PerSecond(uint64_t bytes) const;

  // Ends a line that is already in `text`; trailing blanks are dropped.
  void Line(std::string_view text = "");
  // Ends several lines: `text` wrapped at blanks, indented from the second on.
  void Paragraph(Tone tone, std::string_view text);
  // Says how many rows of a table are not shown, if any.
  void More(size_t all, size_t shown);
  // A section's title, after an empty line; the note only where there is room.
  void Title(std::string_view title, std::string_view note = "");

 private:
  std::ostream& out_;
  const analyze::Report& report_;
  const ReportStyle& style_;
  const Listing& listing_;
  const metric::Metric metric_;
  const Ink ink_;
  const size_t width_;
  bool memory_matters_ = false;
  bool has_copies_ = false;
  bool has_waits_ = false;
  bool has_gc_ = false;
  bool has_awaits_ = false;
  bool has_workers_ = false;
  int decimals_ = 3;
  int await_decimals_ = 3;
  size_t bar_cells_ = 8;
};

inline constexpr size_t kMetricWidth = 9;
inline constexpr size_t kSecondsWidth = 8;
inline constexpr size_t kPercentWidth = 5;
inline constexpr size_t kErrorWidth = 6;
inline constexpr size_t kMegabytesWidth = 9;

}  // namespace pyrometer::tui
