// SPDX-License-Identifier: Apache-2.0
#include "tui/page/page.h"

#include <algorithm>

#include "analyze/code/relative_path.h"
#include "analyze/views/hot_lines.h"
#include "tui/text/bar.h"
#include "tui/text/number.h"
#include "tui/text/text.h"
#include "tui/text/words.h"

namespace pyrometer::tui {
namespace {

using metric::Metric;

constexpr double kHotPercent = 33;
constexpr double kNotableHeatPercent = 10;
constexpr double kWorthBytes = 1e6;
constexpr uint64_t kMatteringBytes = 10'000'000;
constexpr double kWorthCopyRate = 10e6;  // bytes a second, on average
constexpr size_t kMinWidth = 60, kMaxWidth = 200;
constexpr size_t kGcColumnFrom = 90, kAwaitColumnFrom = 80, kWorkerColumnFrom = 80;

// Of seconds, so that a column has room for the longest.
int Decimals(uint64_t longest_ns) {
  return longest_ns < 100'000'000'000       ? 3
         : longest_ns < 10'000'000'000'000  ? 2
         : longest_ns < 100'000'000'000'000 ? 1
                                            : 0;
}

}  // namespace

Page::Page(std::ostream& out, const analyze::Report& report, const ReportStyle& style,
           const Listing& listing)
    : out_(out),
      report_(report),
      style_(style),
      listing_(listing),
      metric_(listing.sort.value_or(analyze::DefaultMetric(report.merged))),
      ink_(style),
      width_(std::clamp(style.width, kMinWidth, kMaxWidth)) {
  has_waits_ = view().ElapsedPercent(view().total.wait().ns) >= 1;
  has_gc_ = width_ >= kGcColumnFrom && view().CpuPercent(view().total.gc_ns()) >= 1;
  has_awaits_ = width_ >= kAwaitColumnFrom && view().ElapsedPercent(view().total.await_ns()) >= 1;
  has_workers_ = width_ >= kWorkerColumnFrom && view().CpuPercent(view().total.worker_ns()) >= 1;
  decimals_ = Decimals(std::max(view().elapsed_ns, view().total.cpu().ns + view().total.wait().ns));
  await_decimals_ = std::min(decimals_, Decimals(view().total.await_ns()));
  has_copies_ = has_memory() && PerSecond(view().memory.total.copied.bytes) >= kWorthCopyRate;
  memory_matters_ = has_memory() && (has_copies_ || !has_time() || !report.leaks.empty() ||
                                     metric::IsMemory(metric_) ||
                                     view().memory.total.own_peak_bytes >= kMatteringBytes);
  bar_cells_ = width_ < 100 ? 8 : width_ < 140 ? 12 : 20;
  if (memory_matters_) bar_cells_ = width_ < 100 ? 6 : width_ < 140 ? 8 : 12;
}

bool Page::IsWorth(const analyze::Breakdown& time, double percent) const {
  return view().CpuPercent(time.cpu().ns) >= percent ||
         view().ElapsedPercent(time.wait().ns) >= percent ||
         view().ElapsedPercent(time.await_ns()) >= percent;
}

bool Page::IsHot(const analyze::Breakdown& time) const {
  const double heat = static_cast<double>(time.time_ns());
  const double percent =
      total_heat_ns() == 0 ? 0 : 100 * heat / static_cast<double>(total_heat_ns());
  // A third of the CPU time is not hot in a run that hardly used any.
  return percent >= kHotPercent ||
         (view().CpuPercent(time.cpu().ns) >= kHotPercent && percent >= kNotableHeatPercent);
}

bool Page::IsWorth(const analyze::MemoryStats& memory, double percent) const {
  if (!memory_matters_) return false;
  const analyze::MemoryStats& all = view().memory.total;
  const auto is_worth = [&](uint64_t part, uint64_t whole) {
    const double bytes = static_cast<double>(part);
    return bytes >= kWorthBytes && bytes * 100 >= percent * static_cast<double>(whole);
  };
  return is_worth(memory.own_peak_bytes, all.own_peak_bytes) ||
         is_worth(memory.allocated.bytes(), all.allocated.bytes()) ||
         (has_copies_ && is_worth(memory.copied.bytes, all.copied.bytes));
}

bool Page::IsHot(const analyze::MemoryStats& memory) const {
  const double bytes = static_cast<double>(memory.at_peak.bytes());
  return bytes > 0 &&
         bytes * 100 >= kHotPercent * static_cast<double>(view().memory.total.at_peak.bytes());
}

std::string Page::Text(std::string_view text) const { return Printable(text, ink_.unicode()); }

std::string Page::Path(std::string_view path) const {
  return Text(analyze::RelativePath(path, report_.run.working_directory));
}

std::string Page::MetricColumn(Metric metric, uint64_t value) const {
  return PadLeft(ValueText(InfoOf(metric), value, decimals_), kMetricWidth);
}

std::string Page::MetricHead(Metric metric) const {
  return PadLeft(CutRight(Text(HeadOf(InfoOf(metric))), kMetricWidth - 1, ink_.unicode()),
                 kMetricWidth);
}

std::string Page::SecondsColumn(uint64_t ns) const {
  const std::string text = Seconds(ns, decimals_);
  // So little that only zeros would show: the bar says that there was some.
  const bool has_digit = text.find_first_of("123456789") != text.npos;
  return PadLeft(has_digit ? text : "", kSecondsWidth);
}

std::string Page::AwaitColumn(uint64_t ns) const {
  return PadLeft(Seconds(ns, await_decimals_), kSecondsWidth);
}

std::string Page::PercentColumn(double percent) const {
  return PadLeft(Percent(percent), kPercentWidth);
}

std::string Page::ErrorColumn(const analyze::Amount& cpu) const {
  const analyze::Interval seconds = cpu.SecondsOf(view().total.cpu());
  const double half = (seconds.high - seconds.low) / 2;
  const uint64_t half_ns = static_cast<uint64_t>(std::max(0.0, half) * 1e9);
  const std::string text = Percent(view().CpuPercent(half_ns));
  // The whole is known from clocks, not from samples.
  if (cpu.ns == 0 || cpu.ns == view().total.cpu().ns || text.empty()) {
    return std::string(kErrorWidth, ' ');
  }
  return PadLeft(std::string(ink_.Glyph("±", "+-")) + text, kErrorWidth);
}

std::string Page::Bar(const analyze::Breakdown& time) const {
  return tui::Bar(time, total_heat_ns(), bar_cells_, ink_);
}

std::string Page::MegabytesColumn(double bytes) const {
  return PadLeft(Megabytes(bytes), kMegabytesWidth);
}

std::string Page::BytesWithError(const analyze::MemorySum& sum, std::string_view sign) const {
  constexpr uint64_t kLeastPart = 200;
  const analyze::Interval range = sum.Range();
  const uint64_t half = analyze::WholeBytes((range.high - range.low) / 2);
  const std::string bytes = Bytes(sum.bytes);
  if (half * kLeastPart < sum.bytes) return bytes;
  if (sign.empty()) sign = ink().Glyph("±", "+-");
  return fmt::format("{} {}{}", bytes, sign, Bytes(half));
}

std::string Page::MemoryBar(const analyze::MemoryStats& memory, size_t cells) const {
  // What was freed before the peak is split as all that was allocated.
  const analyze::MemoryByKind& split = memory.at_peak.empty() ? memory.allocated : memory.at_peak;
  return tui::MemoryBar(memory.own_peak_bytes, split, view().memory.total.own_peak_bytes, cells,
                        ink_);
}

double Page::PerSecond(uint64_t bytes) const {
  return view().elapsed_ns == 0
             ? 0
             : static_cast<double>(bytes) / (static_cast<double>(view().elapsed_ns) * 1e-9);
}

void Page::Line(std::string_view text) {
  const size_t end = text.find_last_not_of(' ');
  out_ << text.substr(0, end == text.npos ? 0 : end + 1) << '\n';
}

void Page::Paragraph(Tone tone, std::string_view text) {
  for (const std::string& line : Wrap(text, width_, ink_.unicode())) Line(ink_(tone, line));
}

void Page::More(size_t all, size_t shown) {
  if (all > shown) Line(ink_(Tone::kFaint, "  and " + std::to_string(all - shown) + " more"));
}

void Page::Title(std::string_view title, std::string_view note) {
  Line();
  std::string line = ink_(Tone::kStrong, CutLeft(title, width_, ink_.unicode()));
  if (!note.empty() && Width(title) + 2 + Width(note) <= width_) {
    line += "  " + ink_(Tone::kFaint, note);
  }
  Line(line);
}

}  // namespace pyrometer::tui
