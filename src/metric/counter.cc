// SPDX-License-Identifier: Apache-2.0
#include "metric/counter.h"

#include <algorithm>
#include <iterator>

namespace pyrometer::metric {
namespace {

using format::CounterKind;

constexpr Unit kNumber = Unit::kCount;
constexpr Unit kDuration = Unit::kNanoseconds;
// How captures without ids say that a value is a time.
constexpr std::string_view kNsSuffix = " ns";
// Between an id and its text.
constexpr std::string_view kColon = ": ";

constexpr CounterRow kRows[] = {
    {Counter::kRecordsDropped, "records_dropped", "records dropped, ring full",
     CounterClass::kLostSamples, kNumber, "records dropped, ring full"},
    {Counter::kSamplesSkipped, "samples_skipped", "samples skipped, Python stack in motion",
     CounterClass::kLostSamples, kNumber, "samples skipped, Python stack in motion"},
    {Counter::kStacksLost, "stacks_lost", "stacks lost, stack table full",
     CounterClass::kLostSamples, kNumber, "stacks lost, stack table full"},
    {Counter::kDamagedRecords, "damaged_records", "damaged records", CounterClass::kLostSamples,
     kNumber, "damaged records"},
    {Counter::kMemorySamplesRefused, "memory_samples_refused",
     "memory samples not followed, table full or thread unknown", CounterClass::kLostMemorySamples,
     kNumber, "memory samples not followed, table full or thread unknown"},
    {Counter::kMemorySamplesOverLimit, "memory_samples_over_limit",
     "memory samples not followed, too many places or blocks", CounterClass::kLostMemorySamples,
     kNumber, "memory samples not followed, too many places or blocks"},
    {Counter::kThreadsNotSampled, "threads_not_sampled", "threads not sampled",
     CounterClass::kLostThreads, kNumber, "threads not sampled"},
    {Counter::kProcessesNotRecorded, "processes_not_recorded",
     "processes not recorded, spool directory full", CounterClass::kLostThreads, kNumber,
     "processes not recorded, spool directory full"},
    {Counter::kStacksCut, "stacks_cut", "stacks cut, too deep", CounterClass::kLostDetail, kNumber,
     "stacks cut, too deep"},
    {Counter::kStacksUnmerged, "stacks_unmerged", "stacks without native frames, not mergeable",
     CounterClass::kLostDetail, kNumber, "stacks without native frames, not mergeable"},
    {Counter::kNativeStacksCut, "native_stacks_cut", "native stacks cut short",
     CounterClass::kLostDetail, kNumber, "native stacks cut short"},
    {Counter::kGreenletStacksCut, "greenlet_stacks_cut",
     "stacks that end at a greenlet, parent not known", CounterClass::kLostDetail, kNumber,
     "stacks that end at a greenlet, parent not known"},
    {Counter::kNamesLost, "names_lost", "names lost, code table full", CounterClass::kLostDetail,
     kNumber, "names lost, code table full"},
    {Counter::kPerfEventsRefused, "perf_events_refused", "perf events refused",
     CounterClass::kLostDetail, kNumber, "perf events refused"},
    {Counter::kTasksInMotion, "tasks_in_motion", "tasks in motion", CounterClass::kLostDetail,
     kNumber, "tasks in motion"},
    {Counter::kWaitStacksInMotion, "wait_stacks_in_motion", "wait stacks in motion",
     CounterClass::kLostDetail, kNumber, "wait stacks in motion"},
    {Counter::kThreadsWithoutWaits, "threads_without_waits",
     "threads whose waits are not known, too many open files", CounterClass::kLostDetail, kNumber,
     "threads whose waits are not known, too many open files"},
    {Counter::kWaitPollsPutOff, "wait_polls_put_off",
     "looks at waiting threads put off, too many of them", CounterClass::kLostDetail, kNumber,
     "polls of waiting threads put off, too many of them"},
    {Counter::kWaitPollsMissed, "wait_polls_missed",
     "without a look at waiting threads, the collector had no CPU ns", CounterClass::kLostDetail,
     kDuration, "without a poll of waiting threads, the collector had no CPU"},
    {Counter::kWaitsWithoutStacks, "waits_without_stacks",
     "waits without stacks, memory not readable", CounterClass::kLostDetail, kNumber,
     "waits without stacks, memory not readable"},
    {Counter::kMemoryFreesLost, "memory_frees_lost", "memory given back unnoticed, ring full",
     CounterClass::kLostDetail, kNumber, "frees of memory unnoticed, ring full"},
    {Counter::kMergedBytesLost, "merged_bytes_lost",
     "bytes that could not be read when it was merged", CounterClass::kLostDetail, kNumber,
     "bytes that could not be read when it was merged"},
    {Counter::kMergedRecordsInvalid, "merged_records_invalid",
     "records that made no sense when it was merged", CounterClass::kLostDetail, kNumber,
     "records that made no sense when it was merged"},
    {Counter::kMergedInterrupted, "merged_interrupted",
     "recordings that did not end in an orderly way", CounterClass::kLostDetail, kNumber,
     "recordings that were interrupted"},
    {Counter::kCpuInOtherPrograms, "cpu_in_other_programs", "CPU time in other programs ns",
     CounterClass::kLostDetail, kDuration, "CPU time in other programs"},
    {Counter::kSignals, "signals", "signals", CounterClass::kCost, kNumber, "signals"},
    {Counter::kSamples, "samples", "samples", CounterClass::kCost, kNumber, "samples"},
    {Counter::kSampling, "sampling", "handler ns", CounterClass::kCost, kDuration, "sampling"},
    {Counter::kMemorySamples, "memory_samples", "memory samples", CounterClass::kCost, kNumber,
     "memory samples"},
    {Counter::kMemorySampling, "memory_sampling", "memory ns", CounterClass::kCost, kDuration,
     "memory sampling"},
    {Counter::kCollector, "collector", "collector cpu ns", CounterClass::kCost, kDuration,
     "collector"},
    {Counter::kJitStacks, "jit_stacks", "native stacks that end in JIT code", CounterClass::kFact,
     kNumber, "native stacks that end in JIT code"},
    {Counter::kForeignSignals, "foreign_signals", "signals of the program on our number",
     CounterClass::kFact, kNumber, "signals of the program on our number"},
    {Counter::kRecordingOff, "recording_off", "recording off ns", CounterClass::kFact, kDuration,
     "recording off"},
    {Counter::kMemoryUnmatched, "memory_unmatched",
     "memory requests and frees without their counterpart", CounterClass::kFact, kNumber,
     "memory requests and frees without their counterpart"},
    {Counter::kMemoryByPieces, "memory_by_pieces", "memory sampled by pieces", CounterClass::kFact,
     kNumber, "memory sampled by pieces"},
    {Counter::kMallocLibrary, "malloc_library", "malloc is served by ", CounterClass::kFact,
     kNumber, "malloc is served by", true},
    {Counter::kOnlyCpu, "only_cpu", "only on cpu", CounterClass::kFact, kNumber, "only on CPU"},
    {Counter::kSnapshotAt, "snapshot_at", "snapshot at ns", CounterClass::kFact, kDuration,
     "snapshot at"},
    {Counter::kProgramCpu, "program_cpu", "program cpu ns", CounterClass::kFact, kDuration,
     "CPU time of the program"},
    {Counter::kProgramEnd, "program_end", "program end ns", CounterClass::kFact, kDuration,
     "end of the program"},
    {Counter::kRank, "rank", "", CounterClass::kFact, kNumber, "rank by", true},
    {Counter::kImportedFrom, "imported_from", "imported from ", CounterClass::kFact, kNumber,
     "imported from", true},
    {Counter::kNote, "note", "", CounterClass::kNote, kNumber, "note:", true},
    {Counter::kCpuExcess, "cpu_excess", "", CounterClass::kNote, kDuration,
     "more CPU time than there can be"},
};
static_assert(std::size(kRows) == kCounterCount);
static_assert(std::ranges::is_sorted(kRows, {}, &CounterRow::counter));
static_assert(kRows[kCounterCount - 1].counter == Counter::kCpuExcess, "all are there");

const CounterRow& RowOf(Counter counter) { return kRows[static_cast<size_t>(counter)]; }

bool IsTime(std::string_view other_name) { return other_name.ends_with(kNsSuffix); }

// What follows the id or the earlier name of a row that has a text; nothing if it is no such name.
std::string_view TextIn(std::string_view name, const CounterRow& row) {
  if (name.starts_with(row.id) && name.substr(row.id.size()).starts_with(kColon))
    return name.substr(row.id.size() + kColon.size());
  if (!row.earlier.empty() && name.starts_with(row.earlier)) return name.substr(row.earlier.size());
  return "";
}

}  // namespace

std::span<const CounterRow> AllCounters() { return kRows; }

std::string_view NameOf(CounterClass of_class) {
  constexpr std::string_view kNames[] = {
      "lost_samples", "lost_memory_samples", "lost_threads", "lost_detail", "cost", "fact", "note"};
  static_assert(std::size(kNames) == kCounterClassCount);
  return kNames[static_cast<size_t>(of_class)];
}

CounterKind KindOf(CounterClass of_class) {
  if (of_class <= CounterClass::kLostDetail) return CounterKind::kLoss;
  return of_class == CounterClass::kCost ? CounterKind::kCost : CounterKind::kFact;
}

CounterKey KeyOf(Counter counter, std::string_view text) {
  return {KindOf(RowOf(counter).of_class), counter, std::string(text)};
}

CounterKey ReadCounterName(CounterKind kind, std::string_view name) {
  for (const CounterRow& row : kRows) {
    if (KindOf(row.of_class) != kind) continue;
    if (row.has_text) {
      if (const std::string_view text = TextIn(name, row); !text.empty())
        return KeyOf(row.counter, text);
    } else if (name == row.id || (!row.earlier.empty() && name == row.earlier)) {
      return KeyOf(row.counter);
    }
  }
  if (kind == CounterKind::kFact &&
      std::ranges::find(kRankVariables, name) != std::end(kRankVariables))
    return KeyOf(Counter::kRank, name);
  return {kind, Counter::kOther, std::string(name)};
}

std::string StoredName(const CounterKey& key) {
  if (key.counter == Counter::kOther) return key.text;
  const CounterRow& row = RowOf(key.counter);
  std::string name(row.id);
  if (row.has_text) name.append(kColon).append(key.text);
  return name;
}

std::string_view IdOf(const CounterKey& key) {
  return key.counter == Counter::kOther ? std::string_view(key.text) : RowOf(key.counter).id;
}

CounterClass ClassOf(const CounterKey& key) {
  if (key.counter != Counter::kOther) return RowOf(key.counter).of_class;
  if (key.kind == CounterKind::kLoss) return CounterClass::kLostDetail;
  return key.kind == CounterKind::kCost ? CounterClass::kCost : CounterClass::kFact;
}

Unit UnitOf(const CounterKey& key) {
  if (key.counter != Counter::kOther) return RowOf(key.counter).unit;
  return IsTime(key.text) ? kDuration : kNumber;
}

std::string_view WordsOf(const CounterKey& key) {
  if (key.counter != Counter::kOther) return RowOf(key.counter).words;
  const std::string_view name = key.text;
  return IsTime(name) ? name.substr(0, name.size() - kNsSuffix.size()) : name;
}

std::string_view TextOf(const CounterKey& key) {
  const bool has_text = key.counter != Counter::kOther && RowOf(key.counter).has_text;
  return has_text ? std::string_view(key.text) : WordsOf(key);
}

std::string SentenceOf(const CounterKey& key) {
  std::string sentence(WordsOf(key));
  if (key.counter != Counter::kOther && RowOf(key.counter).has_text)
    sentence.append(" ").append(key.text);
  return sentence;
}

}  // namespace pyrometer::metric
