// SPDX-License-Identifier: Apache-2.0
#include "tui/text/verdict_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace pyrometer::tui {
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
    verdict.place_ns = Nanoseconds(place, "seconds");
    verdict.place_bytes = place[place.contains("value") ? "value" : "bytes"];
  }
  return verdict;
}

// The page is tested against the same sentences: tests/corpus/README.md.
TEST(VerdictTextTest, SentencesAreThoseOfTheCorpus) {
  std::ifstream file(PYRO_VERDICTS);
  const json corpus = json::parse(file);
  ASSERT_GT(corpus.size(), 15u);
  for (const json& a_case : corpus)
    EXPECT_EQ(VerdictText(VerdictOf(a_case["verdict"]), a_case["first"], "work() a.py:7"),
              a_case["console"].get<std::string>());
}

}  // namespace
}  // namespace pyrometer::tui
