// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tui/sections/sections.h"
#include "tui/text/number.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

using analyze::AwaitStats;
using analyze::LoopBlockStats;
using analyze::Place;
using analyze::TaskStats;

constexpr size_t kMaxRows = 12;

std::string PlaceText(const Page& page, const Place& place) {
  return fmt::format("{}  {}:{}", page.Text(place.function), page.Path(place.path), place.line);
}

void PrintTaskTable(Page& page) {
  const std::vector<TaskStats>& tasks = page.report().tasks;
  if (tasks.empty()) return;
  page.Title("Tasks", "by the coroutine that they run");
  page.Line(page.ink()(
      Tone::kFaint, PadLeft("CPU s", kSecondsWidth) + PadLeft("await s", kSecondsWidth) +
                        PadLeft("ready s", kSecondsWidth) + PadLeft("tasks", 8) + "  coroutine"));
  const size_t shown = std::min(tasks.size(), kMaxRows);
  for (const TaskStats& task : std::span(tasks).first(shown)) {
    std::string row = page.SecondsColumn(task.cpu_ns) + page.AwaitColumn(task.time.suspended_ns) +
                      page.AwaitColumn(task.time.ready_ns) + PadLeft(Count(task.tasks), 8) + "  " +
                      PlaceText(page, {task.path, task.coroutine, task.first_line});
    if (task.tasks == 1 && !task.name.empty()) row += "  " + page.Text(task.name);
    page.Line(CutRight(row, page.width(), page.ink().unicode()));
    if (task.made_at == Place()) continue;
    const std::string made =
        std::string(3 * kSecondsWidth + 12, ' ') + "made in " + PlaceText(page, task.made_at);
    page.Line(page.ink()(Tone::kFaint, CutRight(made, page.width(), page.ink().unicode())));
  }
  page.More(tasks.size(), shown);
}

// "main:30 > fetch:18", without the innermost in scope, which has the row.
std::string ChainText(const Page& page, const AwaitStats& await) {
  std::string text;
  for (const Place& place : await.chains.front().frames) {
    if (place == await.place) break;
    if (!text.empty()) text += page.ink().Glyph(" › ", " > ");
    text += fmt::format("{}:{}", page.Text(place.function), place.line);
  }
  return text;
}

void PrintAwaitTable(Page& page) {
  const std::vector<AwaitStats>& awaits = page.report().awaits;
  if (awaits.empty()) return;
  const bool unicode = page.ink().unicode();
  page.Title("Awaits", "time of tasks that wait; ready: for their event loop alone");
  page.Line(page.ink()(Tone::kFaint, PadLeft("await s", kSecondsWidth) +
                                         PadLeft("ready s", kSecondsWidth) + PadLeft("tasks", 8) +
                                         PadLeft("samples", 9) + "  line"));
  const size_t shown = std::min(awaits.size(), kMaxRows);
  for (const AwaitStats& await : std::span(awaits).first(shown)) {
    const std::string columns =
        page.AwaitColumn(await.time.suspended_ns) + page.AwaitColumn(await.time.ready_ns) +
        PadLeft(Count(await.tasks), 8) + PadLeft(Count(await.time.samples), 9) + "  ";
    std::string row = columns + PlaceText(page, await.place);
    if (!await.awaited.empty())
      row += fmt::format("  {} {}", page.ink().Glyph("→", "->"), page.Text(await.awaited));
    page.Line(CutRight(row, page.width(), unicode));
    if (const std::string chain = ChainText(page, await); !chain.empty())
      page.Line(page.ink()(
          Tone::kFaint,
          CutLeft(std::string(Width(columns) + 2, ' ') + "in " + chain, page.width(), unicode)));
  }
  page.More(awaits.size(), shown);
}

void PrintLoopBlocks(Page& page) {
  const std::vector<LoopBlockStats>& blocks = page.report().loop_blocks;
  if (blocks.empty()) return;
  page.Title("Event loop held up", "by callbacks of 50 ms or longer");
  page.Line(page.ink()(Tone::kFaint, PadLeft("s", kSecondsWidth) + PadLeft("times", 8) +
                                         PadLeft("longest", 9) + PadLeft("at s", kSecondsWidth) +
                                         PadLeft("samples", 9) + "  by"));
  const size_t shown = std::min(blocks.size(), kMaxRows);
  for (const LoopBlockStats& block : std::span(blocks).first(shown)) {
    const std::string row = page.SecondsColumn(block.total_ns) + PadLeft(Count(block.count), 8) +
                            PadLeft(Duration(block.longest_ns), 9) +
                            page.SecondsColumn(block.begin_ns) + PadLeft(Count(block.samples), 9) +
                            "  " + PlaceText(page, block.place);
    page.Line(CutRight(row, page.width(), page.ink().unicode()));
  }
  page.More(blocks.size(), shown);
}

}  // namespace

void PrintTasks(Page& page) {
  PrintTaskTable(page);
  PrintAwaitTable(page);
  PrintLoopBlocks(page);
}

}  // namespace pyrometer::tui
