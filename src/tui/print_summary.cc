// SPDX-License-Identifier: Apache-2.0
#include "tui/print_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "analyze/views/hot_lines.h"
#include "analyze/words/verdict_sentence.h"
#include "tui/page/account.h"
#include "tui/page/advice.h"
#include "tui/page/listed.h"
#include "tui/page/page.h"
#include "tui/text/number.h"
#include "tui/text/text.h"
#include "tui/text/words.h"

namespace pyrometer::tui {
namespace {

using analyze::LineRef;
using analyze::LineStats;
using analyze::Place;
using metric::Metric;

constexpr size_t kDefaultLines = 8, kMaxRows = 5;
constexpr size_t kBytesForALine = 400;
constexpr size_t kCodeWidth = 100, kNameWidth = 50, kPathWidth = 60, kChainWidth = 140,
                 kCommandWidth = 160;
constexpr ReportStyle kStyle{.width = 100, .unicode = true};

// Text of a bounded length, section by section: what does not fit into the part
// up to which a section may reach is counted, not written.
class Bounded {
 public:
  explicit Bounded(size_t bytes) : bytes_(bytes) {}

  // `reach`: the part of all text that may be written when the section ends.
  void Title(const std::string& title, double reach) {
    SayLeftOut();
    Line("\n" + title);
    end_ = static_cast<size_t>(reach * static_cast<double>(bytes_));
  }
  // One line, or several that belong together.
  void Row(const std::string& text) {
    if (left_out_ != 0 || text_.size() + text.size() + 1 > end_)
      ++left_out_;
    else
      Line(text);
  }
  void Line(const std::string& text) { text_ += text + "\n"; }
  std::string Take() {
    SayLeftOut();
    return std::move(text_);
  }

 private:
  void SayLeftOut() {
    if (left_out_ != 0) Line(fmt::format("({} more left out)", left_out_));
    left_out_ = 0;
  }

  const size_t bytes_;
  size_t end_ = 0;
  size_t left_out_ = 0;
  std::string text_;
};

class SummaryPainter {
 public:
  SummaryPainter(std::ostream& out, const analyze::Report& report, const Listing& listing)
      : out_(out),
        page_(out, report, kStyle, listing),
        view_(page_.view()),
        lines_(listing.max_lines.value_or(kDefaultLines)) {}

  void Print() {
    const std::string head = Head(), tail = Tail();
    const size_t most =
        kSummaryBytes + kBytesForALine * (std::max(lines_, kDefaultLines) - kDefaultLines);
    const size_t used = head.size() + tail.size();
    Bounded body(most > used ? most - used : 0);
    if (page_.has_time() || page_.has_memory()) {
      AddLines(body);
      AddFunctions(body);
      AddMemory(body);
      AddGrowing(body);
      AddCopies(body);
      AddWaits(body);
    }
    out_ << head << body.Take() << tail;
  }

 private:
  std::string Name(const std::string& function) const {
    return CutRight(page_.Text(function), kNameWidth, true);
  }
  std::string PathText(const std::string& path, uint32_t line) const {
    return fmt::format("{}:{}", CutLeft(page_.Path(path), kPathWidth, true), line);
  }
  std::string LineText(const LineRef& ref) const {
    const LineStats& line = view_.Line(ref);
    return PathText(view_.files[ref.file].path, line.line) + " in " + Name(line.function);
  }
  std::string Code(const LineRef& ref) const {
    return CutRight(CodeText(page_, ref), kCodeWidth, true);
  }
  static double PercentOf(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
  static std::string S(uint64_t ns) {
    return fmt::format("{:.3f}", static_cast<double>(ns) * 1e-9);
  }

  // " (12 %)" of the CPU time; nothing for none.
  std::string InBrackets(uint64_t ns) const {
    const std::string percent = Percent(view_.CpuPercent(ns));
    return percent.empty() ? "" : fmt::format(" ({} %)", percent);
  }

  std::string Head() const {
    std::string command, interpreters;
    for (const std::string& word : page_.report().run.command)
      command += (command.empty() ? "" : " ") + page_.Text(word);
    for (const analyze::ProcessReport& process : page_.report().processes) {
      const std::string name = page_.Text(process.interpreter);
      if (!name.empty() && interpreters.find(name) == interpreters.npos)
        interpreters += (interpreters.empty() ? "" : ", ") + name;
    }
    std::string text = "pyrometer summary\n";
    const auto add = [&](const std::string& line) { text += line + "\n"; };
    add("command: " + CutRight(command, kCommandWidth, true));
    add(fmt::format("interpreter: {}; processes {}, threads {}",
                    interpreters.empty() ? "not known" : CutRight(interpreters, kNameWidth, true),
                    Count(page_.report().processes.size()), Count(view_.threads.size())));
    add("units: s seconds; +- half of the 95 % interval; MB 1,000,000 bytes");
    add("rule: time and memory of libraries count for the line of the program's own code that "
        "called them");
    for (const std::string& restriction : NoteTexts(page_))
      add(CutRight(restriction, kCommandWidth, true));
    add("");
    add("verdict:");
    const std::vector<analyze::Verdict>& verdicts = page_.report().verdicts;
    for (size_t i = 0; i < verdicts.size(); ++i) {
      const analyze::Verdict& verdict = verdicts[i];
      const std::string place = verdict.path.empty()
                                    ? ""
                                    : analyze::CalledName(Name(verdict.function)) + " " +
                                          PathText(verdict.path, verdict.line);
      add("- " + SentenceText(
                     VerdictSentence(verdict, i == 0),
                     [&](const std::string& name) { return page_.Text(name); }, place));
    }
    add("");
    add(TimeText());
    add(MemoryText());
    return text;
  }

  std::string TimeText() const {
    const std::string elapsed = "elapsed " + S(view_.elapsed_ns) + " s";
    if (!page_.has_time()) return "time: " + elapsed + "; not recorded";
    std::string text = fmt::format("time: {}; CPU {} s (", elapsed, S(view_.total.cpu().ns));
    for (size_t i = 0; i < format::kActivityCount; ++i) {
      const format::Activity activity = format::Activity(i);
      if (activity == format::Activity::kIoWait)
        text += fmt::format(", garbage collection {}); waits of all threads {} s",
                            S(view_.total.gc_ns()), S(view_.total.wait().ns));
      const uint64_t ns = view_.WithoutGc(activity);
      if (format::IsOnCpu(activity))
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", ShortName(activity), S(ns));
      else if (ns != 0)
        text += fmt::format(", {} {}", ShortName(activity), S(ns));
    }
    text += fmt::format("; imports {} s", S(view_.total.import_ns()));
    if (view_.total.worker_ns() != 0)
      text += fmt::format(", workers that a line waits for {} s", S(view_.total.worker_ns()));
    return text;
  }

  std::string MemoryText() const {
    if (!page_.has_memory()) return "memory: not recorded";
    const analyze::MemoryStats& total = view_.memory.total;
    std::string text = "memory: ";
    if (view_.memory.peak_rss_bytes != 0)
      text += fmt::format("peak RSS {}; ", Bytes(view_.memory.peak_rss_bytes));
    text +=
        fmt::format("peak in use {}, at {} (Python {}, native {})",
                    page_.BytesWithError(total.at_peak.all(), "+-"), Duration(view_.memory.peak_ns),
                    Bytes(total.at_peak.python().bytes), Bytes(total.at_peak.native().bytes));
    return text + fmt::format("; allocated in all {}, copied {}", Bytes(total.allocated.bytes()),
                              Bytes(total.copied.bytes));
  }

  // "main:30 > handle:18".
  std::string CallersText(const LineRef& ref) const {
    for (const analyze::LineCallers& callers : page_.report().callers) {
      if (callers.line.file != ref.file || callers.line.line != ref.line) continue;
      std::string text;
      for (const Place& place : callers.places)
        text += fmt::format("{}{}:{}", text.empty() ? "" : " > ", Name(place.function), place.line);
      if (text.empty()) return "none in the program's own code";
      text = CutLeft(text, kChainWidth, true);
      if (callers.chains > 1)
        text +=
            fmt::format(" ({} of it; {} other chain{})",
                        WholePercent(callers.value, ScopedValue(page_.metric(), view_.Line(ref))),
                        callers.chains - 1, callers.chains == 2 ? "" : "s");
      return text;
    }
    return "not known";
  }

  std::string Amounts(const LineStats& line) const {
    std::string text;
    const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : ", ") + piece; };
    const analyze::Breakdown& time = line.scoped;
    if (time.cpu().ns != 0) {
      const analyze::Interval seconds = time.cpu().SecondsOf(view_.total.cpu());
      const double half = (seconds.high - seconds.low) / 2;
      add(fmt::format("CPU {} s +-{:.3f}{}", S(time.cpu().ns), half, InBrackets(time.cpu().ns)));
      using enum format::Activity;
      add(fmt::format("of it Python {}", S(time[kPython].ns)));
      if (time[kNative].ns != 0) add("native " + S(time[kNative].ns));
      if (time[kKernel].ns != 0) add("kernel " + S(time[kKernel].ns));
    }
    if (time.wait().ns != 0) add(fmt::format("waits {} s", S(time.wait().ns)));
    if (time.await_ns() != 0) add(fmt::format("tasks wait {} s", S(time.await_ns())));
    if (time.samples() != 0) add(Count(time.samples()) + " samples");
    const analyze::MemoryStats& memory = line.memory.scoped();
    if (memory.own_peak_bytes != 0) add("memory at most " + Bytes(memory.own_peak_bytes));
    if (!memory.allocated.empty()) add("allocated " + Bytes(memory.allocated.bytes()));
    return text;
  }

  void AddLines(Bounded& body) const {
    const Metric metric = page_.metric();
    body.Title("hottest lines, " + page_.Text(RankedBy(page_.InfoOf(metric))) + ":", 0.55);
    const std::vector<LineRef> rows = ListedLines(page_, metric);
    if (rows.empty()) body.Line("none");
    const size_t shown = WorthCount(page_, metric, rows, kDefaultLines);
    for (size_t i = 0; i < shown; ++i)
      body.Row(fmt::format("{}. {}: {}\n   code: {}\n   called from: {}", i + 1, LineText(rows[i]),
                           Amounts(view_.Line(rows[i])), Code(rows[i]), CallersText(rows[i])));
  }

  void AddFunctions(Bounded& body) const {
    if (!page_.has_time()) return;
    body.Title("functions, by themselves and with what they call (CPU s):", 0.66);
    const std::vector<FunctionRow> rows = ListedFunctions(page_);
    if (rows.empty()) body.Line("none");
    for (const FunctionRow& row : std::span(rows).first(std::min(rows.size(), kMaxRows)))
      body.Row(fmt::format("- {} {}: self {}{}, total {}", Name(row.function->name),
                           PathText(row.file->path, row.function->first_line),
                           S(row.function->self.cpu().ns), InBrackets(row.function->self.cpu().ns),
                           S(row.function->total.cpu().ns)));
  }

  void AddMemory(Bounded& body) const {
    if (!page_.has_memory()) return;
    body.Title("most memory at the moment when most was in use:", 0.79);
    const std::vector<LineRef> rows = ListedLines(page_, Metric::kLiveAtPeak);
    if (rows.empty()) body.Line("none");
    for (const LineRef& ref : std::span(rows).first(
             std::min(kMaxRows, WorthCount(page_, Metric::kLiveAtPeak, rows, kMaxRows)))) {
      const uint64_t live = view_.Line(ref).memory.scoped().at_peak.bytes();
      body.Row(fmt::format("- {}: {} ({}): {}", LineText(ref), Bytes(live),
                           WholePercent(live, view_.memory.total.at_peak.bytes()), Code(ref)));
    }
  }

  void AddGrowing(Bounded& body) const {
    if (!page_.has_memory()) return;
    body.Title("memory that keeps growing (a leak, or collected on purpose):", 0.86);
    const std::vector<const analyze::LeakStats*> leaks = ListedLeaks(page_);
    if (leaks.empty()) body.Line("none found");
    const auto rate = [](double bytes) { return Bytes(analyze::WholeBytes(bytes)); };
    for (const analyze::LeakStats* leak : std::span(leaks).first(std::min(leaks.size(), kMaxRows)))
      body.Row(
          fmt::format("- {} in {}: {} a second ({} to {}), {} % sure, {} live at the end: {}",
                      PathText(leak->place.path, leak->place.line), Name(leak->place.function),
                      rate(leak->bytes_per_second), rate(leak->low_bytes_per_second),
                      rate(leak->high_bytes_per_second), SureText(*leak), Bytes(leak->live.bytes),
                      leak->types.empty() ? "types not known"
                                          : CutRight(TypesText(page_, *leak), kCodeWidth, true)));
  }

  void AddCopies(Bounded& body) const {
    if (!page_.has_copies()) return;
    body.Title("copies of memory:", 0.92);
    const std::vector<LineRef> rows = ListedLines(page_, Metric::kCopied);
    for (const LineRef& ref : std::span(rows).first(
             std::min(kMaxRows, WorthCount(page_, Metric::kCopied, rows, kMaxRows))))
      body.Row(fmt::format("- {}: {}: {}", LineText(ref),
                           Bytes(view_.Line(ref).memory.scoped().copied.bytes), Code(ref)));
  }

  void AddWaits(Bounded& body) const {
    if (!page_.has_waits()) return;
    body.Title("longest waits, all threads (s):", 0.98);
    const std::vector<LineRef> rows = ListedLines(page_, Metric::kWait);
    if (rows.empty()) body.Line("none in the program's own code");
    for (const LineRef& ref : std::span(rows).first(
             std::min(kMaxRows, WorthCount(page_, Metric::kWait, rows, kMaxRows)))) {
      const analyze::Breakdown& time = view_.Line(ref).scoped;
      std::string kinds;
      for (size_t i = static_cast<size_t>(format::Activity::kIoWait); i < format::kActivityCount;
           ++i)
        if (time[format::Activity(i)].ns != 0)
          kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", ShortName(format::Activity(i)),
                               S(time[format::Activity(i)].ns));
      body.Row(
          fmt::format("- {}: {} ({}): {}", LineText(ref), S(time.wait().ns), kinds, Code(ref)));
    }
  }

  std::string Joined(const std::vector<std::string>& pieces) const {
    std::string text;
    for (const std::string& piece : pieces) text += (text.empty() ? "" : "; ") + piece;
    return CutRight(text, 3 * kCommandWidth, true);
  }

  std::string Tail() const {
    std::string text = "\nrecording: " + Joined(AccountPieces(page_)) + "\n";
    const std::vector<std::string> losses = LossPieces(page_), damage = LoadPieces(page_);
    text += "losses: " + (losses.empty() ? "none" : Joined(losses)) + "\n";
    if (!damage.empty()) text += "capture: " + Joined(damage) + "\n";
    text += "\nlook next:\n";
    for (const std::string& advice : NextSteps(page_.report())) text += "- " + advice + "\n";
    return text;
  }

  std::ostream& out_;
  const Page page_;
  const analyze::View& view_;
  const size_t lines_;
};

}  // namespace

size_t SummaryLines(const Listing& listing) {
  // Which of the hottest lines are listed is not known before.
  if (listing.restricted()) return std::numeric_limits<size_t>::max();
  return listing.max_lines.value_or(kDefaultLines);
}

void PrintSummary(std::ostream& out, const analyze::Report& report, const Listing& listing) {
  SummaryPainter(out, report, listing).Print();
}

}  // namespace pyrometer::tui
