// SPDX-License-Identifier: Apache-2.0
#include "tui/page/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tui/text/number.h"

namespace pyrometer::tui {
namespace {

using analyze::Counter;

// Sums over processes, in order of first appearance.
std::vector<Counter> Summed(const std::vector<Counter>& counters) {
  std::vector<Counter> sums;
  std::map<metric::CounterKey, size_t> index;
  for (const Counter& counter : counters) {
    const auto [it, fresh] = index.try_emplace(counter.key, sums.size());
    if (fresh) sums.push_back({0, counter.key, 0});
    sums[it->second].value += counter.value;
  }
  return sums;
}

bool IsTime(const Counter& counter) {
  return metric::UnitOf(counter.key) == metric::Unit::kNanoseconds;
}

// "3 threads not sampled", "1.2 s CPU time in other programs".
std::string CounterText(const Page& page, const Counter& counter) {
  const std::string words = page.Text(std::string(metric::WordsOf(counter.key)));
  return (IsTime(counter) ? Duration(counter.value) : Count(counter.value)) + " " + words;
}

// " (2.1 % of CPU time)": of that of the program, or of elapsed time where the program has used
// less than this.
std::string CostPercent(const Page& page, uint64_t ns, bool say_base) {
  const double of_cpu = page.view().CpuPercent(ns);
  if (of_cpu > 100 || page.view().total.cpu().ns == 0)
    return fmt::format(" ({} % of elapsed time)", Percent(page.view().ElapsedPercent(ns)));
  const std::string percent = Percent(of_cpu);
  return percent.empty() ? "" : fmt::format(" ({} %{})", percent, say_base ? " of CPU time" : "");
}

// Costs in time; what is merely counted is for the JSON report.
void AddCosts(const Page& page, std::vector<std::string>& pieces) {
  bool first = true;
  for (const Counter& cost : Summed(page.report().costs)) {
    if (!IsTime(cost)) continue;
    const std::string what = page.Text(std::string(metric::WordsOf(cost.key)));
    pieces.push_back(fmt::format("{}{} {}", first ? "cost: " : "", what, Duration(cost.value)) +
                     CostPercent(page, cost.value, first));
    first = false;
  }
}

std::vector<std::string> Clocks(const Page& page) {
  std::set<std::string> clocks;
  for (const analyze::ProcessReport& process : page.report().processes) {
    if (process.clock.empty()) continue;
    std::string text = "clock " + page.Text(process.clock);
    if (process.sample_period_ns > 0) text += " every " + Duration(process.sample_period_ns);
    clocks.insert(text);
  }
  return {clocks.begin(), clocks.end()};
}

// How much of the threads' own clocks the samples account for.
std::string CoverageText(const Page& page) {
  uint64_t clock = 0, sampled = 0;
  for (const analyze::ThreadStats& thread : page.view().threads) {
    if (!thread.clock_cpu_ns) continue;
    clock += *thread.clock_cpu_ns;
    sampled += thread.time.cpu().ns;
  }
  if (clock < LeastCovered(page)) return "";
  return fmt::format("samples cover {:.1f} % of the threads' CPU clocks",
                     100.0 * static_cast<double>(sampled) / static_cast<double>(clock));
}

// "a, b" of patterns.
std::string Joined(const Page& page, const std::vector<std::string>& patterns) {
  std::string text;
  for (const std::string& pattern : patterns)
    text += (text.empty() ? "" : ", ") + page.Text(pattern);
  return text;
}

// Which packages are shown as if they were the user's code, and why.
std::string OpenedText(const Page& page) {
  const analyze::OpenedPackages& opened = page.report().opened;
  if (opened.packages.empty()) return "";
  const std::string script = page.Path(opened.entry_point);
  return fmt::format("opened: {}, because {} of the time is {}", Joined(page, opened.packages),
                     WholePercent(opened.hidden_ns, opened.of_ns),
                     script.empty()
                         ? "outside your code"
                         : "below the entry-point script " + script.substr(script.rfind('/') + 1));
}

}  // namespace

uint64_t LeastCovered(const Page& page) {
  constexpr uint64_t kPeriods = 20;
  uint64_t period_ns = 0;
  for (const analyze::ProcessReport& process : page.report().processes)
    period_ns = std::max(period_ns, process.sample_period_ns);
  return std::max<uint64_t>(kPeriods * period_ns, 1);
}

std::vector<std::string> LossPieces(const Page& page) {
  std::vector<std::string> pieces;
  for (const Counter& loss : Summed(page.report().losses))
    if (loss.value != 0) pieces.push_back(CounterText(page, loss));
  return pieces;
}

std::vector<std::string> AccountPieces(const Page& page) {
  std::vector<std::string> pieces;
  if (page.has_time() || !page.has_memory())
    pieces.push_back(Count(page.view().total.samples()) +
                     (page.view().total.samples() == 1 ? " sample" : " samples"));
  if (page.has_memory()) {
    const analyze::MemoryStats& memory = page.view().memory.total;
    // A copy by element is a sample of its allocation.
    const uint64_t copies = memory.copied.samples - memory.copied_by_element.samples;
    pieces.push_back(Count(memory.allocated.all().samples + copies) + " samples of memory");
  }
  if (LossPieces(page).empty()) pieces.push_back("0 lost");
  AddCosts(page, pieces);
  for (const std::string& clock : Clocks(page)) pieces.push_back(clock);
  if (const std::string coverage = CoverageText(page); !coverage.empty())
    pieces.push_back(coverage);
  return pieces;
}

std::vector<std::string> LoadPieces(const Page& page) {
  const profile::LoadReport& load = page.report().load;
  std::vector<std::string> pieces;
  if (load.still_running)
    pieces.push_back("written while the program was still running");
  else if (!load.orderly_end)
    pieces.push_back("the recording did not end in an orderly way");
  if (load.bytes_lost > 0) {
    pieces.push_back(fmt::format("{} of {} bytes unreadable", Count(load.bytes_lost),
                                 Count(load.bytes_read + load.bytes_lost)));
  }
  if (load.records_invalid > 0) {
    pieces.push_back(fmt::format("{} invalid records", Count(load.records_invalid)));
  }
  if (load.blocks_skipped > 0) {
    pieces.push_back(
        fmt::format("{} blocks of a newer version skipped", Count(load.blocks_skipped)));
  }
  return pieces;
}

std::string OriginText(const Page& page) {
  std::string text;
  for (const analyze::Counter& fact : page.report().facts) {
    if (fact.key.counter != metric::Counter::kImportedFrom) continue;
    const std::string name = page.Text(SentenceOf(fact.key));
    if (text.find(name) == text.npos) text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::vector<std::string> NoteTexts(const Page& page) {
  std::vector<std::string> texts;
  for (const analyze::Counter& fact : page.report().facts) {
    if (metric::ClassOf(fact.key) != metric::CounterClass::kNote) continue;
    const std::string note = fact.key.counter == metric::Counter::kNote
                                 ? page.Text(SentenceOf(fact.key))
                                 : "note: " + CounterText(page, fact);
    if (std::ranges::find(texts, note) == texts.end()) texts.push_back(note);
  }
  if (page.report().lines_restricted) {
    const size_t count = page.report().profiled_functions.size();
    texts.push_back(
        fmt::format("lines: only of {} function{} with @profile; --all-functions "
                    "shows the others",
                    count, count == 1 ? "" : "s"));
  }
  if (const std::string opened = OpenedText(page); !opened.empty()) texts.push_back(opened);
  const Listing& listing = page.listing();
  if (!listing.restricted()) return texts;
  std::string text = "listed: ";
  if (!listing.functions.empty()) text += "functions that match " + Joined(page, listing.functions);
  if (!listing.files.empty())
    text += (listing.functions.empty() ? "" : " in ") +
            ("files that match " + Joined(page, listing.files));
  texts.push_back(text + "; totals and percentages are of the whole program");
  return texts;
}

}  // namespace pyrometer::tui
