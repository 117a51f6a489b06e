// SPDX-License-Identifier: Apache-2.0
#include "metric/counter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace pyrometer::metric {
namespace {

using format::CounterKind;

CounterKey Loss(std::string_view name) { return ReadCounterName(CounterKind::kLoss, name); }
CounterKey Fact(std::string_view name) { return ReadCounterName(CounterKind::kFact, name); }

TEST(CounterTest, IdsAreUniqueAndInSnakeCase) {
  std::set<std::string_view> ids;
  for (const CounterRow& row : AllCounters()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    for (const char c : row.id) EXPECT_TRUE(std::islower(c) || c == '_') << row.id;
    EXPECT_FALSE(row.words.empty()) << row.id;
  }
}

TEST(CounterTest, WhatIsStoredIsReadAgain) {
  for (const CounterRow& row : AllCounters()) {
    const CounterKey key = KeyOf(row.counter, row.has_text ? "a: text" : "");
    EXPECT_EQ(ReadCounterName(key.kind, StoredName(key)), key) << row.id;
  }
}

// Names of captures that were made before there were ids. They are in files: never change one.
TEST(CounterTest, EarlierNamesAreRead) {
  EXPECT_EQ(Loss("records dropped, ring full"), KeyOf(Counter::kRecordsDropped));
  EXPECT_EQ(Loss("samples skipped, Python stack in motion"), KeyOf(Counter::kSamplesSkipped));
  EXPECT_EQ(Loss("stacks lost, stack table full"), KeyOf(Counter::kStacksLost));
  EXPECT_EQ(Loss("damaged records"), KeyOf(Counter::kDamagedRecords));
  EXPECT_EQ(Loss("threads not sampled"), KeyOf(Counter::kThreadsNotSampled));
  EXPECT_EQ(Loss("memory given back unnoticed, ring full"), KeyOf(Counter::kMemoryFreesLost));
  EXPECT_EQ(Loss("memory samples not followed, too many places or blocks"),
            KeyOf(Counter::kMemorySamplesOverLimit));
  EXPECT_EQ(ReadCounterName(CounterKind::kCost, "handler ns"), KeyOf(Counter::kSampling));
  EXPECT_EQ(ReadCounterName(CounterKind::kCost, "collector cpu ns"), KeyOf(Counter::kCollector));
  EXPECT_EQ(Fact("snapshot at ns"), KeyOf(Counter::kSnapshotAt));
  EXPECT_EQ(Fact("program cpu ns"), KeyOf(Counter::kProgramCpu));
  EXPECT_EQ(Fact("memory sampled by pieces"), KeyOf(Counter::kMemoryByPieces));
  EXPECT_EQ(Fact("imported from pprof"), KeyOf(Counter::kImportedFrom, "pprof"));
  EXPECT_EQ(Fact("malloc is served by /x.so"), KeyOf(Counter::kMallocLibrary, "/x.so"));
  EXPECT_EQ(Fact("note: no stacks"), KeyOf(Counter::kNote, "no stacks"));
  EXPECT_EQ(Fact("SLURM_PROCID"), KeyOf(Counter::kRank, "SLURM_PROCID"));
}

TEST(CounterTest, UnknownNamesStayAsTheyAre) {
  const CounterKey key = Loss("lines that make no sense");
  EXPECT_EQ(key.counter, Counter::kOther);
  EXPECT_EQ(IdOf(key), "lines that make no sense");
  EXPECT_EQ(WordsOf(key), IdOf(key));
  EXPECT_EQ(ClassOf(key), CounterClass::kLostDetail);
  EXPECT_EQ(UnitOf(key), Unit::kCount);
  EXPECT_EQ(StoredName(key), "lines that make no sense");
  EXPECT_EQ(WordsOf(Fact("asleep ns")), "asleep");
  EXPECT_EQ(UnitOf(Fact("asleep ns")), Unit::kNanoseconds);
  EXPECT_EQ(ClassOf(Fact("asleep ns")), CounterClass::kFact);
}

TEST(CounterTest, ANameOfAnotherKindIsUnknown) {
  EXPECT_EQ(Fact("records_dropped").counter, Counter::kOther);
  EXPECT_EQ(Loss("note: x").counter, Counter::kOther);
  for (const char* name : {"", "note", "note:", "note: ", "rank", "imported from ", "RANKS"})
    EXPECT_EQ(Fact(name).counter, Counter::kOther) << name;
}

TEST(CounterTest, SentencesHaveTheText) {
  EXPECT_EQ(SentenceOf(KeyOf(Counter::kImportedFrom, "pprof")), "imported from pprof");
  EXPECT_EQ(SentenceOf(KeyOf(Counter::kNote, "no stacks")), "note: no stacks");
  EXPECT_EQ(SentenceOf(KeyOf(Counter::kCollector)), WordsOf(KeyOf(Counter::kCollector)));
}

// Rows of the document that name a counter.
std::vector<std::string> DocumentRows() {
  std::ifstream file(PYRO_COUNTERS);
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `")) rows.push_back(line);
  return rows;
}

TEST(CounterTest, TheDocumentHasEachAsItIsHere) {
  std::vector<std::string> expected;
  for (const CounterRow& row : AllCounters())
    expected.push_back("| `" + std::string(row.id) + "` | " + std::string(NameOf(row.of_class)) +
                       " | " + std::string(row.has_text ? "text" : UnitName(row.unit)) + " | " +
                       std::string(row.words) + " |" +
                       (row.earlier.empty() ? "" : " `" + std::string(row.earlier) + "`") + " |");
  EXPECT_THAT(DocumentRows(), ::testing::ElementsAreArray(expected));
}

}  // namespace
}  // namespace pyrometer::metric
