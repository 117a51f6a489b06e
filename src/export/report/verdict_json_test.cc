// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "export/report/json.h"

namespace pyrometer::export_ {
namespace {

using analyze::Verdict;
using nlohmann::json;

uint64_t Nanoseconds(const json& verdict, const char* member) {
  return static_cast<uint64_t>(std::llround(verdict.value(member, 0.0) * 1e9));
}

// A verdict as the report's JSON has it.
Verdict VerdictOf(const json& from) {
  Verdict verdict;
  while (NameOf(verdict.kind) != from["kind"].get<std::string>() &&
         verdict.kind != Verdict::Kind::kDeclared)
    verdict.kind = Verdict::Kind(static_cast<int>(verdict.kind) + 1);
  EXPECT_EQ(NameOf(verdict.kind), from["kind"].get<std::string>());
  const std::string name = from.value("metric", "");
  for (const metric::Info& info : metric::All())
    if (info.name == name) verdict.metric = info.metric;
  if (!verdict.metric) verdict.title = name;
  verdict.ns = Nanoseconds(from, "seconds");
  verdict.of_ns = Nanoseconds(from, "of_seconds");
  verdict.workers_ns = Nanoseconds(from, "workers_cpu_seconds");
  verdict.outside_ns = Nanoseconds(from, "outside_seconds");
  for (const char* member : {"bytes", "bytes_per_second", "value"})
    if (from.contains(member)) verdict.bytes = from[member];
  if (const json& place = from["place"]; !place.is_null()) {
    verdict.path = place["path"];
    verdict.function = place["function"];
    verdict.line = place["line"];
    verdict.place_ns = Nanoseconds(place, "seconds");
    verdict.place_bytes = place[place.contains("value") ? "value" : "bytes"];
  }
  return verdict;
}

// The `verdicts` of a report that has this one, and another before it if it is not the first.
json Written(const json& a_case, bool page) {
  analyze::Report report;
  report.run.working_directory = "/srv";
  if (!a_case["first"]) report.verdicts.emplace_back();
  report.verdicts.push_back(VerdictOf(a_case["verdict"]));
  std::ostringstream out;
  if (page)
    WritePageMeta(report, {}, out);
  else
    WriteJson(report, out);
  return json::parse(out.str())["verdicts"].back();
}

// The page reads the same pieces: tests/corpus/README.md.
TEST(VerdictJsonTest, SentencesAndPiecesAreThoseOfTheCorpus) {
  std::ifstream file(PYRO_VERDICTS);
  const json corpus = json::parse(file);
  ASSERT_GT(corpus.size(), 20u);
  for (const json& a_case : corpus) {
    const json written = Written(a_case, true);
    EXPECT_EQ(written["text"], a_case["text"]);
    EXPECT_EQ(written["pieces"], a_case["pieces"]) << written["pieces"].dump();
    EXPECT_EQ(Written(a_case, false)["text"], a_case["text"]);
  }
}

TEST(VerdictJsonTest, PiecesAreForThePageOnly) {
  const json verdict = {{"kind", "no_samples"}, {"place", nullptr}};
  EXPECT_FALSE(Written({{"first", true}, {"verdict", verdict}}, false).contains("pieces"));
}

}  // namespace
}  // namespace pyrometer::export_
