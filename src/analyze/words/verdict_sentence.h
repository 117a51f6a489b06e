// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/report/report.h"

namespace pyrometer::analyze {

// A piece of a sentence.
struct Piece {
  enum class Kind : uint8_t {
    kText,    // words of ours
    kAmount,  // "75 %", "4.00 s"
    kName,    // what a recording calls something: not trusted
    kPlace,   // the verdict's; has no text of its own
  };
  Kind kind = Kind::kText;
  std::string text{};
  bool headline = false;  // it is what matters most, before the figures
};
using Sentence = std::vector<Piece>;

// A verdict in words, the same for the console, files and the page. `first`: it is the answer,
// not one of the others.
Sentence VerdictSentence(const Verdict& verdict, bool first);

// The sentence as one text. Names are what `name` makes of them, and the place is `place`: fit for
// where the text goes.
std::string SentenceText(const Sentence& sentence,
                         const std::function<std::string(const std::string&)>& name,
                         std::string_view place);

// The sentence as a text for programs, which may print it: nothing in it moves a cursor. Paths
// are relative to `directory`.
std::string PrintableVerdict(const Verdict& verdict, bool first, std::string_view directory);

// "score()", "<module>": a function in such a sentence.
std::string CalledName(const std::string& name);

}  // namespace pyrometer::analyze
