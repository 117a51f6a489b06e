// SPDX-License-Identifier: Apache-2.0
#include "tui/print_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "analyze/views/hot_lines.h"
#include "analyze/words/verdict_sentence.h"
#include "tui/page/account.h"
#include "tui/page/listed.h"
#include "tui/page/page.h"
#include "tui/sections/sections.h"
#include "tui/text/markdown_text.h"
#include "tui/text/number.h"
#include "tui/text/text.h"
#include "tui/text/words.h"

namespace pyrometer::tui {
namespace {

using analyze::LineRef;
using analyze::LineStats;
using metric::Metric;

constexpr size_t kDefaultLines = 10, kMaxRows = 10;
constexpr size_t kCodeWidth = 90, kNameWidth = 60, kPathWidth = 80, kCommandWidth = 200;
constexpr ReportStyle kStyle{.width = 110, .unicode = true};

// A table: heads, then rows. Heads that begin with a blank are of text, others of
// numbers, which stand at the right.
class Table {
 public:
  Table(std::ostream& out, const std::vector<std::string>& heads) : out_(out) {
    Row(heads);
    std::vector<std::string> rule;
    for (const std::string& head : heads) rule.push_back(head.starts_with(' ') ? "---" : "--:");
    Row(rule);
  }
  void Row(const std::vector<std::string>& cells) {
    out_ << '|';
    for (const std::string& cell : cells)
      out_ << (cell.starts_with(' ') ? "" : " ") << cell << (cell.empty() ? "|" : " |");
    out_ << '\n';
  }

 private:
  std::ostream& out_;
};

// Something that opens on demand; closed when it goes away.
class Details {
 public:
  Details(std::ostream& out, const std::string& title) : out_(out) {
    out_ << "\n<details><summary>" << title << "</summary>\n\n";
  }
  ~Details() { out_ << "\n</details>\n"; }
  Details(const Details&) = delete;
  Details& operator=(const Details&) = delete;

 private:
  std::ostream& out_;
};

class MarkdownPainter {
 public:
  MarkdownPainter(std::ostream& out, const analyze::Report& report, const Listing& listing)
      : out_(out), page_(out, report, kStyle, listing), view_(page_.view()) {}

  void Print() {
    PrintHead();
    if (page_.has_time() || page_.has_memory()) {
      PrintTotals();
      PrintLines();
      PrintFunctions();
      PrintTree();
      PrintMemoryLines();
      PrintGrowing();
      PrintCopies();
      PrintThreads();
    }
    PrintAccount();
  }

 private:
  std::string Code(const std::string& printable, size_t width) const {
    return MarkdownCode(CutRight(printable, width, true));
  }
  std::string PathCode(const std::string& path, uint32_t line) const {
    return MarkdownCode(
        CutLeft(fmt::format("{}:{}", page_.Path(path), line == 0 ? "-" : std::to_string(line)),
                kPathWidth, true));
  }
  std::string Cell(uint64_t ns) const { return std::string(Stripped(page_.SecondsColumn(ns))); }
  static std::string_view Stripped(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  }
  std::string MetricCell(Metric metric, uint64_t value) const {
    return std::string(Stripped(page_.MetricColumn(metric, value)));
  }
  static double PercentOf(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }

  void PrintHead() {
    std::string command;
    for (const std::string& word : page_.report().run.command)
      command += (command.empty() ? "" : " ") + page_.Text(word);
    out_ << "### pyrometer: " << Code(command, kCommandWidth) << "\n\n";
    const std::vector<analyze::Verdict>& verdicts = page_.report().verdicts;
    for (size_t i = 0; i < verdicts.size(); ++i) {
      const analyze::Verdict& verdict = verdicts[i];
      const std::string place =
          verdict.path.empty()
              ? ""
              : Code(analyze::CalledName(page_.Text(verdict.function)), kNameWidth) + " " +
                    PathCode(verdict.path, verdict.line);
      const std::string mark = i == 0 ? "**" : "";
      const std::string text = SentenceText(
          VerdictSentence(verdict, i == 0),
          [&](const std::string& name) { return MarkdownText(page_.Text(name)); }, place);
      out_ << mark << text << mark << "\n\n";
    }
    for (const std::string& text : NoteTexts(page_)) out_ << MarkdownText(text) << "\n\n";
  }

  void PrintTotals() {
    std::vector<std::string> heads = {"elapsed"}, cells = {Duration(view_.elapsed_ns)};
    const auto add = [&](std::string head, std::string cell) {
      heads.push_back(std::move(head));
      cells.push_back(std::move(cell));
    };
    if (page_.has_time()) {
      add("CPU", Duration(view_.total.cpu().ns));
      for (size_t i = 0; i < format::kActivityCount; ++i) {
        const format::Activity activity = format::Activity(i);
        const uint64_t ns = view_.WithoutGc(activity);
        const bool wait = !format::IsOnCpu(activity);
        if (ns != 0) add((wait ? "wait: " : "") + std::string(ShortName(activity)), Duration(ns));
        if (activity == format::Activity::kKernel && view_.total.gc_ns() != 0)
          add("GC", Duration(view_.total.gc_ns()));
      }
    }
    if (page_.has_memory()) {
      if (view_.memory.peak_rss_bytes != 0) add("peak RSS", Bytes(view_.memory.peak_rss_bytes));
      add("peak in use", page_.BytesWithError(view_.memory.total.at_peak.all()));
    }
    Table(out_, heads).Row(cells);
  }

  // Our own words are as they are; those of a recording are not trusted.
  std::string Shown(Metric metric, const std::string& text) const {
    return metric::IsDeclared(metric) ? MarkdownText(page_.Text(text)) : text;
  }

  void PrintLines() {
    const Metric metric = page_.metric();
    const uint64_t whole = WholeOf(metric, view_);
    const std::vector<LineRef> rows = ListedLines(page_, metric);
    if (rows.empty()) return;
    std::vector<Metric> more;
    for (const auto& [has, other] :
         {std::pair(page_.has_time(), Metric::kCpu), std::pair(page_.has_waits(), Metric::kWait),
          std::pair(page_.memory_matters(), Metric::kLiveAtPeak)})
      if (has && other != metric) more.push_back(other);
    out_ << "\n#### Hottest lines, " << Shown(metric, RankedBy(page_.InfoOf(metric))) << "\n\n";
    std::vector<std::string> heads = {Shown(metric, HeadOf(page_.InfoOf(metric))), "%"};
    for (const Metric other : more) heads.push_back(Shown(other, HeadOf(page_.InfoOf(other))));
    heads.insert(heads.end(), {" line", " code"});
    Table table(out_, heads);
    const size_t shown = WorthCount(page_, metric, rows, kDefaultLines);
    for (const LineRef& ref : std::span(rows).first(shown)) {
      const LineStats& line = view_.Line(ref);
      const uint64_t value = ScopedValue(metric, line);
      std::vector<std::string> cells = {MetricCell(metric, value),
                                        Percent(PercentOf(value, whole))};
      for (const Metric other : more) cells.push_back(MetricCell(other, ScopedValue(other, line)));
      cells.push_back(PathCode(view_.files[ref.file].path, line.line));
      cells.push_back(Code(CodeText(page_, ref), kCodeWidth));
      table.Row(cells);
    }
    if (rows.size() > shown) out_ << "\nand " << Count(rows.size() - shown) << " more\n";
  }

  void PrintFunctions() {
    const std::vector<FunctionRow> rows = ListedFunctions(page_);
    if (rows.empty() || !page_.has_time()) return;
    const Details details(out_, "Functions");
    Table table(out_,
                {"self CPU s", "%", "total CPU s", "wait s", "samples", " function", " file"});
    for (const FunctionRow& row : std::span(rows).first(std::min(rows.size(), kMaxRows))) {
      const analyze::Breakdown& self = row.function->self;
      table.Row({Cell(self.cpu().ns), Percent(view_.CpuPercent(self.cpu().ns)),
                 Cell(row.function->total.cpu().ns), Cell(self.wait().ns), Count(self.samples()),
                 Code(page_.Text(row.function->name), kNameWidth),
                 PathCode(row.file->path, row.function->first_line)});
    }
  }

  void PrintTree() {
    if (!page_.report().call_tree || page_.report().call_tree->roots.empty()) return;
    std::ostringstream text;
    Page page(text, page_.report(), kStyle, page_.listing());
    PrintCallTree(page);
    const Details details(out_, "Call tree");
    // Without the empty line that comes before a title.
    out_ << MarkdownBlock(std::string_view(text.str()).substr(1));
  }

  void PrintMemoryLines() {
    if (!page_.memory_matters() || page_.metric() == Metric::kLiveAtPeak) return;
    const std::vector<LineRef> rows = ListedLines(page_, Metric::kLiveAtPeak);
    if (rows.empty()) return;
    const Details details(out_, "Most memory, at " + Duration(view_.memory.peak_ns));
    Table table(out_, {"live MB", "%", "Python MB", "native MB", "allocated MB", " line", " code"});
    for (const LineRef& ref :
         std::span(rows).first(WorthCount(page_, Metric::kLiveAtPeak, rows, kMaxRows))) {
      const analyze::MemoryStats& stats = view_.Line(ref).memory.scoped();
      const auto megabytes = [](uint64_t bytes) { return Megabytes(static_cast<double>(bytes)); };
      table.Row({megabytes(stats.at_peak.bytes()),
                 Percent(PercentOf(stats.at_peak.bytes(), view_.memory.total.at_peak.bytes())),
                 megabytes(stats.at_peak.python().bytes), megabytes(stats.at_peak.native().bytes),
                 megabytes(stats.allocated.bytes()),
                 PathCode(view_.files[ref.file].path, view_.Line(ref).line),
                 Code(CodeText(page_, ref), kCodeWidth)});
    }
  }

  void PrintGrowing() {
    const std::vector<const analyze::LeakStats*> leaks = ListedLeaks(page_);
    if (leaks.empty()) return;
    const Details details(out_, "Memory that keeps growing");
    Table table(out_, {"a second", "from", "to", "sure %", "live at the end", " line", " types"});
    const auto rate = [](double bytes) { return Bytes(analyze::WholeBytes(bytes)); };
    for (const analyze::LeakStats* leak : std::span(leaks).first(std::min(leaks.size(), kMaxRows)))
      table.Row({rate(leak->bytes_per_second), rate(leak->low_bytes_per_second),
                 rate(leak->high_bytes_per_second), SureText(*leak), Bytes(leak->live.bytes),
                 PathCode(leak->place.path, leak->place.line),
                 Code(TypesText(page_, *leak), kCodeWidth)});
  }

  void PrintCopies() {
    if (!page_.has_copies() || page_.metric() == Metric::kCopied) return;
    const std::vector<LineRef> rows = ListedLines(page_, Metric::kCopied);
    if (rows.empty()) return;
    const Details details(out_, "Copies: " + Bytes(view_.memory.total.copied.bytes));
    Table table(out_, {"MB", "%", " line", " code"});
    for (const LineRef& ref :
         std::span(rows).first(WorthCount(page_, Metric::kCopied, rows, kMaxRows))) {
      const uint64_t bytes = view_.Line(ref).memory.scoped().copied.bytes;
      table.Row({Megabytes(static_cast<double>(bytes)),
                 Percent(PercentOf(bytes, view_.memory.total.copied.bytes)),
                 PathCode(view_.files[ref.file].path, view_.Line(ref).line),
                 Code(CodeText(page_, ref), kCodeWidth)});
    }
  }

  void PrintThreads() {
    if (view_.threads.size() < 2 || !page_.has_time() || page_.listing().restricted()) return;
    std::vector<const analyze::ThreadStats*> rows;
    for (const analyze::ThreadStats& thread : view_.threads) rows.push_back(&thread);
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
      return a->time.cpu().ns > b->time.cpu().ns;
    });
    const Details details(out_, Count(rows.size()) + " threads");
    Table table(out_, {"CPU s", "Python s", "native s", "kernel s", "wait s", " thread"});
    for (const analyze::ThreadStats* thread :
         std::span(rows).first(std::min(rows.size(), kMaxRows))) {
      using enum format::Activity;
      const analyze::Breakdown& time = thread->time;
      table.Row({Cell(time.cpu().ns), Cell(time[kPython].ns), Cell(time[kNative].ns),
                 Cell(time[kKernel].ns), Cell(time.wait().ns),
                 Code(page_.Text(thread->name), kNameWidth)});
    }
    if (rows.size() > kMaxRows) out_ << "\nand " << Count(rows.size() - kMaxRows) << " more\n";
  }

  void PrintAccount() {
    for (const auto& [lead, pieces] : {std::pair("Not recorded: ", LossPieces(page_)),
                                       std::pair("Capture: ", LoadPieces(page_))}) {
      if (pieces.empty()) continue;
      out_ << "\n" << lead;
      for (size_t i = 0; i < pieces.size(); ++i)
        out_ << (i == 0 ? "" : ", ") << MarkdownText(pieces[i]);
      out_ << '\n';
    }
    const Details details(out_, "How it was measured");
    for (const std::string& piece : AccountPieces(page_))
      out_ << "- " << MarkdownText(piece) << '\n';
    out_ << "- MB are 1,000,000 bytes; time of libraries counts for the line that called them\n";
  }

  std::ostream& out_;
  Page page_;
  const analyze::View& view_;
};

}  // namespace

void PrintMarkdown(std::ostream& out, const analyze::Report& report, const Listing& listing) {
  MarkdownPainter(out, report, listing).Print();
}

}  // namespace pyrometer::tui
