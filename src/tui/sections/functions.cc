// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tui/page/listed.h"
#include "tui/sections/sections.h"
#include "tui/text/number.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

using analyze::Amount;
using analyze::Breakdown;
using analyze::NativeFunctionStats;

constexpr double kWorthPercent = 1;
constexpr uint64_t kLeastSamples = 2;
constexpr size_t kMaxNatives = 10;
constexpr size_t kCountWidth = 9;
constexpr size_t kMaxNameWidth = 44;

// Millions of samples are wider than their column.
std::string CountColumn(uint64_t count) {
  const std::string text = " " + Count(count);
  return PadLeft(text, kCountWidth);
}

// ":12", or nothing where no line is known.
std::string LineSuffix(uint32_t line) { return line == 0 ? "" : ":" + std::to_string(line); }

// Columns of page from which there is room for memory.
constexpr size_t kMemoryFrom = 100;

bool ShowsMemory(const Page& page) { return page.memory_matters() && page.width() >= kMemoryFrom; }

std::string Heads(const Page& page, bool waits, bool memory) {
  std::string text = PadLeft("self s", kSecondsWidth) + PadLeft("%", kPercentWidth) +
                     PadLeft(page.ink().Glyph("±", "+-"), kErrorWidth) +
                     PadLeft("total s", kSecondsWidth);
  if (waits) text += PadLeft("wait s", kSecondsWidth);
  text += PadLeft("samples", kCountWidth);
  if (memory) text += PadLeft("peak MB", kMegabytesWidth) + PadLeft("alloc MB", kMegabytesWidth);
  return text + "  ";
}

// The name gets what it needs, up to a limit; the place what is left.
void PrintRow(Page& page, const std::string& numbers, bool hot, const std::string& name,
              const std::string& place) {
  const bool unicode = page.ink().unicode();
  const size_t room = page.width() - std::min(page.width(), Width(numbers));
  const size_t name_width = std::min({Width(name), kMaxNameWidth, room});
  const std::string shown = CutRight(name, name_width, unicode);
  const size_t left = room - Width(shown);
  page.Line(page.ink()(hot ? Tone::kHot : Tone::kPlain, numbers + shown) +
            (left < 8 ? "" : "  " + page.ink()(Tone::kFaint, CutLeft(place, left - 2, unicode))));
}

void PrintPython(Page& page) {
  std::vector<FunctionRow> rows = ListedFunctions(page);
  if (!ShowsMemory(page))
    std::erase_if(rows, [](const FunctionRow& row) { return row.function->self.samples() == 0; });
  if (rows.empty() || !page.has_time()) return;
  const size_t most = page.listing().max_lines.value_or(page.style().max_functions);
  const size_t dropped = rows.size() - std::min(rows.size(), most);
  rows.resize(rows.size() - dropped);
  page.Title("Functions", "CPU time; self has the native code that they call in it");
  page.Line(
      page.ink()(Tone::kFaint, Heads(page, page.has_waits(), ShowsMemory(page)) + "function"));
  for (const FunctionRow& row : rows) {
    const Breakdown &self = row.function->self, &total = row.function->total;
    std::string numbers = page.SecondsColumn(self.cpu().ns) +
                          page.PercentColumn(page.view().CpuPercent(self.cpu().ns)) +
                          page.ErrorColumn(self.cpu()) + page.SecondsColumn(total.cpu().ns);
    if (page.has_waits()) numbers += page.SecondsColumn(self.wait().ns);
    numbers += CountColumn(self.samples());
    if (ShowsMemory(page)) {
      const analyze::MemoryStats& memory = row.function->memory.self();
      numbers += page.MegabytesColumn(static_cast<double>(memory.own_peak_bytes)) +
                 page.MegabytesColumn(static_cast<double>(memory.allocated.bytes()));
    }
    numbers += "  ";
    PrintRow(page, numbers, page.IsHot(self), page.Text(row.function->name),
             page.Path(row.file->path) + LineSuffix(row.function->first_line));
  }
  page.More(dropped, 0);
}

// Native and kernel time: what such a function does for the interpreter itself
// is the Python lines' own time.
Amount NativeTime(const Breakdown& time) {
  Amount amount = time[format::Activity::kNative];
  amount.Add(time[format::Activity::kKernel]);
  return amount;
}

std::string ModuleName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void PrintNative(Page& page) {
  std::vector<const NativeFunctionStats*> rows;
  for (const NativeFunctionStats& native : page.view().native_functions) {
    const Amount self = NativeTime(native.self);
    if (self.samples >= kLeastSamples && page.view().CpuPercent(self.ns) >= kWorthPercent)
      rows.push_back(&native);
  }
  if (rows.empty()) return;
  std::sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    const uint64_t time_a = NativeTime(a->self).ns, time_b = NativeTime(b->self).ns;
    return time_a != time_b ? time_a > time_b : a < b;
  });
  const size_t shown = std::min(rows.size(), kMaxNatives);
  const size_t dropped = rows.size() - shown;
  rows.resize(shown);
  page.Title("Native functions", "their time is part of the Python lines above");
  page.Line(page.ink()(Tone::kFaint, Heads(page, false, false) + "function"));
  for (const NativeFunctionStats* row : rows) {
    Breakdown self;
    self.Add(metric::Metric::kNative, NativeTime(row->self));
    const std::string numbers =
        page.SecondsColumn(self.cpu().ns) +
        page.PercentColumn(page.view().CpuPercent(self.cpu().ns)) + page.ErrorColumn(self.cpu()) +
        page.SecondsColumn(NativeTime(row->total).ns) + CountColumn(self.cpu().samples) + "  ";
    PrintRow(page, numbers, page.IsHot(self), row->name.empty() ? "?" : page.Text(row->name),
             row->module.empty() ? "" : fmt::format("[{}]", page.Text(ModuleName(row->module))));
  }
  page.More(dropped, 0);
}

}  // namespace

void PrintFunctions(Page& page) {
  PrintPython(page);
  if (!page.listing().restricted()) PrintNative(page);
}

}  // namespace pyrometer::tui
