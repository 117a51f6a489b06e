// SPDX-License-Identifier: Apache-2.0
#include "analyze/words/verdict_sentence.h"

#include <utility>

#include "analyze/code/relative_path.h"
#include "analyze/words/printable.h"
#include "metric/amount_text.h"
#include "metric/metric.h"

namespace pyrometer::analyze {
namespace {

using Kind = Verdict::Kind;
using metric::BytesText;
using metric::Metric;
using metric::TimeText;
using metric::WholePercent;

// A line with less is not where the time goes.
constexpr double kLeastHotShare = 0.05;

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Puts the pieces together; exists while a sentence is made.
class Writer {
 public:
  Writer(const Verdict& verdict, bool first) : v_(verdict), first_(first) {}

  Sentence Write() {
    switch (v_.kind) {
      case Kind::kNoSamples:
        Head(v_.of_ns < 1'000'000'000 ? "Too short" : "Nothing recorded");
        Text(": ran ").Time(v_.of_ns).Text(", ").Amount("0 samples").Text(".");
        break;
      case Kind::kCpu:
        Head(std::string(first_ ? "CPU-bound in " : "Also on CPU, in ") + Runner());
        ShareOf("CPU time").Text("; ").TimePlace("hottest line");
        break;
      case Kind::kWait:
        WriteWait();
        break;
      case Kind::kGilContention:
        Head("Threads compete for the GIL");
        Text(": ").Time(v_.ns).Text(" lost waiting for it; most ").AtPlace();
        break;
      case Kind::kGarbageCollection:
        Head(first_ ? "Mostly garbage collection" : "Garbage collection");
        ShareOf("CPU time").Text("; ").TimePlace("most");
        Text("; gc.freeze(), gc.set_threshold() or gc.disable() may save it");
        break;
      case Kind::kMemoryPeak:
        Head("Peak of ").Bytes(v_.bytes).Text(" in use").EndHead();
        Text(" at ").Time(v_.ns).Text("; most: ").BytesPlace();
        break;
      case Kind::kMemoryGrowth:
        Head("Memory keeps growing");
        Text(": ").Amount(BytesText(static_cast<double>(v_.bytes)) + "/s").Text(" ").AtPlace();
        Text(", ").Bytes(v_.place_bytes).Text(" of it live at exit");
        break;
      case Kind::kCopies:
        Head("Copies");
        Text(" ").Bytes(v_.bytes).Text(" in ").Time(v_.of_ns).Text("; most: ").BytesPlace();
        break;
      case Kind::kDeclared:
        Head("Most ").Add(Piece::Kind::kName, v_.title).EndHead();
        Text(": ").BytesPlace();
        break;
    }
    return std::move(sentence_);
  }

 private:
  void WriteWait() {
    if (v_.workers_ns != 0)
      Head("Main thread waiting for its workers");
    else
      Head((first_ ? "Mostly " : "Also ") + std::string(InfoOf(Metric::kWait).phrase));
    ShareOf("elapsed").Text("; ");
    if (v_.workers_ns != 0) Text("they used ").Time(v_.workers_ns).Text(" CPU time; ");
    TimePlace("longest");
  }

  std::string Runner() const {
    if (v_.metric == Metric::kKernel) return "the kernel";
    return std::string(InfoOf(Metric::kPython).head);
  }

  // Of what it is about, one of those that everybody knows.
  const metric::Info& InfoOf(Metric otherwise) const {
    return metric::InfoOf(v_.metric.value_or(otherwise));
  }

  // ": 75 % of 4.00 s CPU time"
  Writer& ShareOf(const std::string& what) {
    return Text(": ").Percent(v_.ns, v_.of_ns).Text(" of ").Time(v_.of_ns).Text(" " + what);
  }

  // "hottest line: 43 % at f() a.py:9"; of what the verdict is about, where that is.
  Writer& TimePlace(const std::string& lead) {
    // Of waits, which may be a small part of the run, and of garbage collection.
    const uint64_t about = v_.kind == Kind::kCpu ? v_.of_ns : v_.ns;
    if (!v_.path.empty() && Share(v_.place_ns, about) >= kLeastHotShare)
      return Text(lead + ": ").Percent(v_.place_ns, v_.of_ns).Text(" ").AtPlace();
    if (2 * v_.outside_ns < about) return Text("spread over many lines");
    // Waits there may be of other kinds as well, so that their share would say little.
    if (v_.kind == Kind::kWait) return Text("mostly outside your code");
    return Percent(v_.outside_ns, v_.of_ns).Text(" outside your code");
  }
  Writer& BytesPlace() {
    if (!v_.path.empty()) Percent(v_.place_bytes, v_.bytes).Text(" ");
    return AtPlace();
  }
  Writer& AtPlace() {
    if (v_.path.empty()) return Text("outside your code");
    return Text("at ").Add(Piece::Kind::kPlace, "");
  }

  // What follows is in the headline, too, until EndHead; a whole headline ends with itself.
  Writer& Head(const std::string& text) {
    headline_ = text.ends_with(' ');
    sentence_.push_back({Piece::Kind::kText, text, true});
    return *this;
  }
  void EndHead() { headline_ = false; }
  Writer& Text(const std::string& text) { return Add(Piece::Kind::kText, text); }
  Writer& Amount(const std::string& text) { return Add(Piece::Kind::kAmount, text); }
  Writer& Time(uint64_t ns) { return Amount(TimeText(static_cast<double>(ns))); }
  Writer& Bytes(uint64_t bytes) { return Amount(BytesText(static_cast<double>(bytes))); }
  Writer& Percent(uint64_t part, uint64_t whole) { return Amount(WholePercent(part, whole)); }
  // Words that follow each other are one piece.
  Writer& Add(Piece::Kind kind, const std::string& text) {
    if (kind == Piece::Kind::kText && !sentence_.empty() && sentence_.back().kind == kind &&
        sentence_.back().headline == headline_)
      sentence_.back().text += text;
    else
      sentence_.push_back({kind, text, headline_});
    return *this;
  }

  const Verdict& v_;
  const bool first_;
  bool headline_ = false;
  Sentence sentence_;
};

}  // namespace

Sentence VerdictSentence(const Verdict& verdict, bool first) {
  return Writer(verdict, first).Write();
}

std::string SentenceText(const Sentence& sentence,
                         const std::function<std::string(const std::string&)>& name,
                         std::string_view place) {
  std::string text;
  for (const Piece& piece : sentence) {
    if (piece.kind == Piece::Kind::kPlace)
      text += place;
    else
      text += piece.kind == Piece::Kind::kName ? name(piece.text) : piece.text;
  }
  return text;
}

std::string PrintableVerdict(const Verdict& verdict, bool first, std::string_view directory) {
  const auto printable = [](std::string_view text) { return Printable(text, true); };
  const std::string place = CalledName(printable(verdict.function)) + " " +
                            printable(RelativePath(verdict.path, directory)) + ":" +
                            std::to_string(verdict.line);
  return SentenceText(VerdictSentence(verdict, first), printable, place);
}

std::string CalledName(const std::string& name) {
  // "<module>" and the like are not called.
  return name + (name.ends_with('>') ? "" : "()");
}

}  // namespace pyrometer::analyze
