// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "analyze/words/verdict_sentence.h"
#include "tui/page/account.h"
#include "tui/sections/sections.h"
#include "tui/text/number.h"
#include "tui/text/text.h"
#include "tui/text/words.h"

namespace pyrometer::tui {
namespace {

using analyze::Breakdown;
using analyze::ProcessReport;
using analyze::ThreadStats;
using enum format::Activity;

constexpr size_t kIdWidth = 8;
constexpr size_t kNameWidth = 15, kMaxNameWidth = 24;
constexpr size_t kWordWidth = 11;
constexpr size_t kMaxRows = 24;
constexpr size_t kWideFrom = 100;

// The largest wait, in a word.
std::string MainWait(const Breakdown& time) {
  uint64_t largest_ns = 0;
  std::string_view name;
  for (size_t i = static_cast<size_t>(kIoWait); i < format::kActivityCount; ++i) {
    const uint64_t ns = time[format::Activity(i)].ns;
    if (ns <= largest_ns) continue;
    largest_ns = ns;
    name = ShortName(format::Activity(i));
  }
  return std::string(name);
}

// Sampled CPU time against the thread's own clock.
std::string Coverage(const Page& page, const ThreadStats& thread) {
  if (!thread.clock_cpu_ns || *thread.clock_cpu_ns < LeastCovered(page)) return "";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(thread.time.cpu().ns) /
                                     static_cast<double>(*thread.clock_cpu_ns));
}

// The line that a thread mostly works for.
std::string WorksFor(const Page& page, const ThreadStats& thread) {
  if (thread.works_for == analyze::Place()) return "";
  return fmt::format("  {} {}:{}", analyze::CalledName(page.Text(thread.works_for.function)),
                     page.Path(thread.works_for.path), thread.works_for.line);
}

template <class T, class Key>
std::vector<const T*> Largest(const std::vector<T>& items, Key key) {
  std::vector<const T*> rows;
  for (const T& item : items) rows.push_back(&item);
  std::sort(rows.begin(), rows.end(),
            [&](const T* a, const T* b) { return key(*a) != key(*b) ? key(*a) > key(*b) : a < b; });
  rows.resize(std::min(rows.size(), kMaxRows));
  return rows;
}

void PrintThreadTable(Page& page) {
  const std::vector<ThreadStats>& threads = page.view().threads;
  if (threads.size() < 2 || !page.has_time()) return;
  const bool unicode = page.ink().unicode(), wide = page.width() >= kWideFrom;
  page.Title("Threads");
  // The rest of the row is 81 columns wide.
  const size_t name_width = wide && !page.has_workers()
                                ? std::clamp(page.width() - 81, kNameWidth, kMaxNameWidth)
                                : kNameWidth;
  std::string heads = PadLeft("tid", kIdWidth) + "  " + Fit("name", name_width, unicode);
  for (const char* head : {"CPU s", "Python", "native", "kernel", "wait s"}) {
    heads += PadLeft(head, kSecondsWidth);
  }
  heads += "  " + Fit("for", kWordWidth, unicode);
  if (wide) heads += PadLeft("samples", 8) + PadLeft("of clock", 10);
  if (page.has_workers()) heads += "  works for";
  page.Line(page.ink()(Tone::kFaint, CutRight(heads, page.width(), unicode)));
  const auto rows = Largest(threads, [](const ThreadStats& t) { return t.time.cpu().ns; });
  for (const ThreadStats* thread : rows) {
    const Breakdown& time = thread->time;
    std::string row = PadLeft(fmt::format("{}", thread->tid), kIdWidth) + "  " +
                      Fit(page.Text(thread->name), name_width, unicode);
    for (const uint64_t ns :
         {time.cpu().ns, time[kPython].ns, time[kNative].ns, time[kKernel].ns, time.wait().ns}) {
      row += page.SecondsColumn(ns);
    }
    row += "  " + Fit(MainWait(time), kWordWidth, unicode);
    if (wide) row += PadLeft(Count(time.samples()), 8) + PadLeft(Coverage(page, *thread), 10);
    if (page.has_workers()) row += WorksFor(page, *thread);
    page.Line(CutRight(row, page.width(), unicode));
  }
  page.More(threads.size(), rows.size());
}

std::string ExitText(const ProcessReport& process) {
  if (!process.end) return "?";
  if (process.end->exit_signal != 0) return fmt::format("sig {}", process.end->exit_signal);
  return process.end->exit_code < 0 ? "?" : fmt::format("{}", process.end->exit_code);
}

void PrintProcessTable(Page& page) {
  const std::vector<ProcessReport>& processes = page.report().processes;
  if (processes.size() < 2) return;
  const bool unicode = page.ink().unicode();
  page.Title("Processes");
  std::string heads = PadLeft("pid", kIdWidth) + PadLeft("ran s", kSecondsWidth);
  if (page.has_time())
    heads +=
        PadLeft("CPU s", kSecondsWidth) + PadLeft("wait s", kSecondsWidth) + PadLeft("samples", 9);
  if (page.memory_matters()) heads += PadLeft("peak MB", kMegabytesWidth);
  heads += PadLeft("exit", 8) + "  command";
  page.Line(page.ink()(Tone::kFaint, CutRight(heads, page.width(), unicode)));
  const auto rows = Largest(processes, [](const ProcessReport& p) {
    return std::pair(p.view.total.cpu().ns, p.view.memory.total.own_peak_bytes);
  });
  for (const ProcessReport* process : rows) {
    const analyze::View& view = process->view;
    std::string row =
        PadLeft(fmt::format("{}", process->pid), kIdWidth) + page.SecondsColumn(view.elapsed_ns);
    if (page.has_time())
      row += page.SecondsColumn(view.total.cpu().ns) + page.SecondsColumn(view.total.wait().ns) +
             PadLeft(Count(view.total.samples()), 9);
    if (page.memory_matters())
      row += page.MegabytesColumn(static_cast<double>(view.memory.total.own_peak_bytes));
    row += PadLeft(ExitText(*process), 8) + " ";
    for (const std::string& word : process->argv) row += " " + page.Text(word);
    page.Line(CutRight(row, page.width(), unicode));
  }
  page.More(processes.size(), rows.size());
}

// Who kept whom from running Python.
void PrintGilTable(Page& page) {
  constexpr size_t kMaxPairs = 10;
  constexpr double kWorthPercent = 0.5;
  std::vector<const analyze::GilWaitStats*> rows;
  for (const analyze::GilWaitStats& wait : page.report().gil_waits)
    if (page.view().ElapsedPercent(wait.wait_ns) >= kWorthPercent) rows.push_back(&wait);
  if (rows.empty()) return;
  const bool unicode = page.ink().unicode();
  const size_t width = kIdWidth + 2 + kNameWidth;
  page.Title("GIL");
  page.Line(page.ink()(Tone::kFaint, "  " + Fit("waiting thread", width, unicode) +
                                         Fit("while it was held by", width, unicode) +
                                         PadLeft("wait s", kSecondsWidth) + PadLeft("samples", 9)));
  const auto name = [&](uint64_t tid, const std::string& text) {
    return Fit(fmt::format("{} {}", tid, page.Text(text)), width, unicode);
  };
  const size_t shown = std::min(rows.size(), kMaxPairs);
  for (const analyze::GilWaitStats* row : std::span(rows).first(shown)) {
    page.Line("  " + name(row->waiter_tid, row->waiter) +
              (row->holder_tid ? name(*row->holder_tid, row->holder)
                               : Fit("nobody, or not known", width, unicode)) +
              page.SecondsColumn(row->wait_ns) + PadLeft(Count(row->samples), 9));
  }
  page.More(rows.size(), shown);
}

void PrintRankTable(Page& page) {
  const analyze::RankTable& ranks = page.report().ranks;
  if (ranks.rows.empty()) return;
  page.Title("Ranks");
  page.Line(page.ink()(
      Tone::kFaint,
      CutRight(PadLeft(page.Text(ranks.variable), kIdWidth) + PadLeft("ran s", kSecondsWidth) +
                   PadLeft("of median", 11) + PadLeft("CPU s", kSecondsWidth) +
                   PadLeft("wait s", kSecondsWidth) + PadLeft("processes", 11),
               page.width(), page.ink().unicode())));
  const size_t shown = std::min(ranks.rows.size(), kMaxRows);
  for (const analyze::RankStats& row : std::span(ranks.rows).first(shown)) {
    const double ratio = static_cast<double>(row.elapsed_ns()) /
                         static_cast<double>(std::max<uint64_t>(ranks.median_elapsed_ns, 1));
    page.Line(PadLeft(fmt::format("{}", row.rank), kIdWidth) +
              page.SecondsColumn(row.elapsed_ns()) + PadLeft(fmt::format("{:.2f}x", ratio), 11) +
              page.SecondsColumn(row.cpu_ns) + page.SecondsColumn(row.wait_ns) +
              PadLeft(Count(row.processes), 11));
  }
  page.More(ranks.rows.size(), shown);
}

}  // namespace

void PrintThreads(Page& page) {
  PrintThreadTable(page);
  PrintGilTable(page);
  PrintProcessTable(page);
  PrintRankTable(page);
}

}  // namespace pyrometer::tui
