// SPDX-License-Identifier: Apache-2.0
#include "tui/sections/memory_columns.h"

#include "tui/text/number.h"
#include "tui/text/sparkline.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

// Columns of page from which there is room.
constexpr size_t kAllocatedFrom = 115, kCopiesFrom = 125, kSparkFrom = 145;
constexpr size_t kCopyWidth = 10;

}  // namespace

MemoryColumns::MemoryColumns(const Page& page, bool shown)
    : page_(page),
      any_(shown && page.memory_matters()),
      allocated_(page.width() >= kAllocatedFrom || !page.has_time()),
      copies_(page.has_copies() && (page.width() >= kCopiesFrom || !page.has_time())),
      bar_cells_(page.width() < 90    ? 0
                 : page.width() < 120 ? 4
                                      : 8),
      spark_cells_(page.width() >= kSparkFrom ? 12
                   : page.has_time()          ? 0
                                              : 8) {}

size_t MemoryColumns::width() const {
  if (!any_) return 0;
  return kMegabytesWidth + (bar_cells_ == 0 ? 0 : 1 + bar_cells_) +
         (spark_cells_ == 0 ? 0 : 1 + spark_cells_) + (allocated_ ? kMegabytesWidth : 0) +
         (copies_ ? kCopyWidth : 0);
}

std::string MemoryColumns::Heads() const {
  if (!any_) return "";
  std::string text = PadLeft("peak MB", kMegabytesWidth);
  if (bar_cells_ != 0) text += std::string(1 + bar_cells_, ' ');
  if (spark_cells_ != 0)
    text += " " + Fit(spark_cells_ >= 12 ? "over time" : "", spark_cells_, page_.ink().unicode());
  if (allocated_) text += PadLeft("alloc MB", kMegabytesWidth);
  if (copies_) text += PadLeft("copy MB/s", kCopyWidth);
  return text;
}

std::string MemoryColumns::Row(const analyze::MemoryStats* memory) const {
  if (!any_) return "";
  if (memory == nullptr || memory->empty()) return std::string(width(), ' ');
  const Tone tone = page_.IsHot(*memory) ? Tone::kHot : Tone::kPlain;
  std::string text =
      page_.ink()(tone, page_.MegabytesColumn(static_cast<double>(memory->own_peak_bytes)));
  if (bar_cells_ != 0) text += " " + page_.MemoryBar(*memory, bar_cells_);
  if (spark_cells_ != 0) {
    // Each to its own height: the bar says how much it is.
    text += " " + page_.ink()(Tone::kFaint, Sparkline(memory->timeline, memory->own_peak_bytes,
                                                      spark_cells_, page_.ink()));
  }
  if (allocated_) text += page_.MegabytesColumn(static_cast<double>(memory->allocated.bytes()));
  if (copies_) text += PadLeft(Megabytes(page_.PerSecond(memory->copied.bytes)), kCopyWidth);
  return text;
}

}  // namespace pyrometer::tui
