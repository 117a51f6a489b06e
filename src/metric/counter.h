// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "format/records.h"
#include "metric/metric.h"

// What a recording says about itself: what was lost, what recording has cost, and what readers need
// to know. The one definition: records, JSON and the page go by ids, and words are made where they
// are shown. docs/format/counters.md is the same as a table.
namespace pyrometer::metric {

enum class Counter : uint8_t {
  // Losses.
  kRecordsDropped,
  kSamplesSkipped,
  kStacksLost,
  kDamagedRecords,
  kMemorySamplesRefused,
  kMemorySamplesOverLimit,
  kThreadsNotSampled,
  kProcessesNotRecorded,
  kStacksCut,
  kStacksUnmerged,
  kNativeStacksCut,
  kGreenletStacksCut,
  kNamesLost,
  kPerfEventsRefused,
  kTasksInMotion,
  kWaitStacksInMotion,
  kThreadsWithoutWaits,
  kWaitPollsPutOff,
  kWaitPollsMissed,
  kWaitsWithoutStacks,
  kMemoryFreesLost,
  kMergedBytesLost,
  kMergedRecordsInvalid,
  kMergedInterrupted,
  kCpuInOtherPrograms,
  // Costs.
  kSignals,
  kSamples,
  kSampling,
  kMemorySamples,
  kMemorySampling,
  kCollector,
  // Facts.
  kJitStacks,
  kForeignSignals,
  kRecordingOff,
  kMemoryUnmatched,
  kMemoryByPieces,
  kMallocLibrary,
  kOnlyCpu,
  kSnapshotAt,
  kProgramCpu,
  kProgramEnd,
  kRank,
  kImportedFrom,
  kNote,
  kCpuExcess,
  // One that this version does not know: it is told as the file has it.
  kOther,
};
inline constexpr size_t kCounterCount = static_cast<size_t>(Counter::kOther);

// What a counter means to whoever reads the figures.
enum class CounterClass : uint8_t {
  kLostSamples,        // whole samples of time: many of them change the figures
  kLostMemorySamples,  // the same of memory
  kLostThreads,        // all of a thread or a process: even one changes the figures
  kLostDetail,         // what is there lacks something
  kCost,
  kFact,
  kNote,  // a fact that every report shows
};
inline constexpr size_t kCounterClassCount = 7;

struct CounterRow {
  Counter counter;
  std::string_view id;  // in capture files, JSON and the page; never changes
  // What captures have that were made before there were ids; of one with a text, what precedes it.
  std::string_view earlier;
  CounterClass of_class;
  Unit unit;
  std::string_view words;  // follow the value, or precede the text; may change at any time
  bool has_text = false;   // tells something that is no number
};

// All of them but kOther, by number.
std::span<const CounterRow> AllCounters();
// "lost_samples", "cost".
std::string_view NameOf(CounterClass of_class);
format::CounterKind KindOf(CounterClass of_class);

// In which a launcher of a parallel program tells processes their number: the text of a kRank. The
// one that numbers all processes comes before those of one machine.
inline constexpr std::string_view kRankVariables[] = {"RANK", "SLURM_PROCID",
                                                      "OMPI_COMM_WORLD_RANK", "LOCAL_RANK"};

// What a counter counts, whatever its value. Values of several processes with the same key are
// about the same.
struct CounterKey {
  format::CounterKind kind = format::CounterKind::kLoss;
  Counter counter = Counter::kOther;
  std::string text{};  // where it has one; of kOther the whole name that the file has

  friend auto operator<=>(const CounterKey&, const CounterKey&) = default;
};

// REQUIRES: not kOther; `text` only where it has one
CounterKey KeyOf(Counter counter, std::string_view text = "");
// By the name that a capture has: an id, an id with a text, or an earlier name.
CounterKey ReadCounterName(format::CounterKind kind, std::string_view name);
// The name that a capture gets.
std::string StoredName(const CounterKey& key);

std::string_view IdOf(const CounterKey& key);
CounterClass ClassOf(const CounterKey& key);
Unit UnitOf(const CounterKey& key);
// Texts and unknown names are not trusted, so neither are these three.
std::string_view WordsOf(const CounterKey& key);
// The text where it has one, else the words: "pprof".
std::string_view TextOf(const CounterKey& key);
// The words and, where it has one, the text: "imported from pprof".
std::string SentenceOf(const CounterKey& key);

}  // namespace pyrometer::metric
