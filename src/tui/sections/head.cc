// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <vector>

#include "analyze/words/verdict_sentence.h"
#include "tui/page/account.h"
#include "tui/sections/sections.h"
#include "tui/text/bar.h"
#include "tui/text/number.h"
#include "tui/text/text.h"
#include "tui/text/words.h"

namespace pyrometer::tui {
namespace {

using analyze::Verdict;

constexpr uint64_t kFewSamples = 50;

std::string Place(const Page& page, const Verdict& verdict) {
  if (verdict.path.empty()) return "";
  return fmt::format("{} {}:{}", analyze::CalledName(page.Text(verdict.function)),
                     page.Path(verdict.path), verdict.line);
}

// Left text, and right text at the end of the line when there is room.
std::string Spread(const Page& page, const std::string& left, const std::string& right) {
  const size_t used = Width(left) + Width(right);
  if (used + 2 > page.width()) {
    return page.ink()(Tone::kStrong, CutRight(left, page.width(), page.ink().unicode()));
  }
  return page.ink()(Tone::kStrong, left) + std::string(page.width() - used, ' ') +
         page.ink()(Tone::kFaint, right);
}

std::string Interpreters(const Page& page) {
  std::string text = OriginText(page);
  for (const analyze::ProcessReport& process : page.report().processes) {
    const std::string name = page.Text(process.interpreter);
    if (name.empty() || text.find(name) != text.npos) continue;
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

// A piece of text behind a cell of its colour.
struct Piece {
  Tone tone;
  std::string text;
};

// `lead` and the pieces, wrapped under the end of the lead.
void PrintPieces(Page& page, const std::string& lead, const std::vector<Piece>& pieces) {
  const Ink& ink = page.ink();
  std::string line = lead;
  size_t used = Width(lead);
  for (const Piece& piece : pieces) {
    const size_t columns = 4 + Width(piece.text);
    if (used + columns > page.width()) {
      page.Line(line);
      line = std::string(Width(lead), ' ');
      used = Width(lead);
    }
    const bool plain = piece.tone == Tone::kPlain;
    line += "  " + (plain ? "" : ink(piece.tone, ink.Cell(piece.tone)) + " ") + piece.text;
    used += columns;
  }
  page.Line(line);
}

// The times of the activities from `first` to before `last`, and of the garbage collection
// that they are without.
void PrintActivities(Page& page, const std::string& lead, size_t first, size_t last) {
  std::vector<Piece> pieces;
  for (size_t i = first; i < last; ++i) {
    const format::Activity activity = format::Activity(i);
    const uint64_t ns = page.view().WithoutGc(activity);
    if (ns == 0) continue;
    pieces.push_back({ToneOf(activity), fmt::format("{} {}", ShortName(activity), Duration(ns))});
  }
  if (first == 0 && page.view().total.gc_ns() != 0)
    pieces.push_back({Tone::kPlain, "GC " + Duration(page.view().total.gc_ns())});
  PrintPieces(page, lead, pieces);
}

void PrintMemoryTotals(Page& page) {
  const analyze::ViewMemory& memory = page.view().memory;
  const analyze::MemoryByKind& peak = memory.total.at_peak;
  std::vector<Piece> pieces;
  pieces.push_back({Tone::kPlain, "peak in use " + page.BytesWithError(peak.all())});
  if (peak.python().bytes > 0)
    pieces.push_back({Tone::kPython, "Python " + Bytes(peak.python().bytes)});
  if (peak.native().bytes > 0)
    pieces.push_back({Tone::kNative, "native " + Bytes(peak.native().bytes)});
  PrintPieces(page,
              memory.peak_rss_bytes == 0 ? "memory" : "peak RSS " + Bytes(memory.peak_rss_bytes),
              pieces);
}

void PrintTotals(Page& page) {
  const analyze::View& view = page.view();
  constexpr size_t kFirstWait = static_cast<size_t>(format::Activity::kIoWait);
  const std::string elapsed = fmt::format("elapsed {}   ", Duration(view.elapsed_ns));
  PrintActivities(page, elapsed + fmt::format("CPU {}", Duration(view.total.cpu().ns)), 0,
                  kFirstWait);
  if (view.total.wait().ns > 0) {
    const std::string waits = view.threads.size() > 1 ? "waits, all threads" : "waits";
    PrintActivities(page, std::string(Width(elapsed), ' ') + waits, kFirstWait,
                    format::kActivityCount);
  }
  if (page.has_memory()) PrintMemoryTotals(page);
  page.Line(Bar(view.total, view.total.time_ns(), page.width(), page.ink()));
  const uint64_t imports = view.total.import_ns(), whole = view.total.time_ns();
  if (imports != 0 && imports * 100 >= whole)
    page.Line(page.ink()(
        Tone::kFaint, fmt::format("imports {}, {} of {} (CPU time{})", Duration(imports),
                                  WholePercent(imports, whole), Duration(whole),
                                  view.total.main_wait_ns() == 0 ? "" : " + main-thread waits")));
  const uint64_t workers = view.total.worker_ns();
  if (workers != 0 && workers * 100 >= view.total.cpu().ns)
    page.Line(page.ink()(
        Tone::kFaint, fmt::format("workers that a line waits for {}, {} of CPU time",
                                  Duration(workers), WholePercent(workers, view.total.cpu().ns))));
}

}  // namespace

void PrintHead(Page& page) {
  const analyze::Report& report = page.report();
  std::string command;
  for (const std::string& word : report.run.command) {
    command += (command.empty() ? "" : " ") + page.Text(word);
  }
  page.Line(Spread(page, command, Interpreters(page)));
  for (size_t i = 0; i < report.verdicts.size(); ++i) {
    const Verdict& verdict = report.verdicts[i];
    const std::string text = SentenceText(
        VerdictSentence(verdict, i == 0), [&](const std::string& name) { return page.Text(name); },
        Place(page, verdict));
    page.Paragraph(i == 0 ? Tone::kStrong : Tone::kPlain, text);
  }
  const uint64_t samples = page.view().total.samples();
  if (samples == 0) {
    if (!page.has_memory()) return;
    page.Line();
    page.Line(fmt::format("elapsed {}", Duration(page.view().elapsed_ns)));
    PrintMemoryTotals(page);
    return;
  }
  if (samples < kFewSamples) {
    page.Paragraph(Tone::kWarning,
                   fmt::format("Only {} sample{}: read the percentages as rough ones.", samples,
                               samples == 1 ? "" : "s"));
  }
  page.Line();
  PrintTotals(page);
}

}  // namespace pyrometer::tui
