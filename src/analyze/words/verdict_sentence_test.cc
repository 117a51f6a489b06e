// SPDX-License-Identifier: Apache-2.0
#include "analyze/words/verdict_sentence.h"

#include <gtest/gtest.h>

// The sentences themselves are in tests/corpus/verdicts.json, against which src/export is tested.
namespace pyrometer::analyze {
namespace {

TEST(VerdictSentenceTest, NamesAndPlacesAreMadeFitByWhoPrintsThem) {
  const Verdict verdict{.kind = Verdict::Kind::kDeclared,
                        .path = "/srv/a.py",
                        .function = "work",
                        .line = 7,
                        .title = "*hits*",
                        .bytes = 4,
                        .place_bytes = 3};
  const auto quoted = [](const std::string& name) { return "'" + name + "'"; };
  EXPECT_EQ(SentenceText(VerdictSentence(verdict, true), quoted, "[there]"),
            "Most '*hits*': 75 % at [there]");
}

TEST(VerdictSentenceTest, TheHeadlineComesFirst) {
  Verdict verdict;
  verdict.kind = Verdict::Kind::kMemoryPeak;
  verdict.bytes = 60;
  std::string headline;
  bool rest = false;
  for (const Piece& piece : VerdictSentence(verdict, true)) {
    EXPECT_FALSE(rest && piece.headline);
    rest = !piece.headline;
    if (piece.headline) headline += piece.text;
  }
  EXPECT_EQ(headline, "Peak of 60 B in use");
}

TEST(CalledNameTest, ModulesAreNotCalled) {
  EXPECT_EQ(CalledName("work"), "work()");
  EXPECT_EQ(CalledName("<module>"), "<module>");
}

}  // namespace
}  // namespace pyrometer::analyze
