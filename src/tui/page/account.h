// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tui/page/page.h"

// What a report says of the recording itself, as pieces of printable text.
namespace pyrometer::tui {

// CPU time by the clock of a thread from which it says something how much of it was sampled:
// before the first sample, none is.
uint64_t LeastCovered(const Page& page);

// How many samples, what they cost, which clock.
std::vector<std::string> AccountPieces(const Page& page);
// What was not recorded; empty where all was.
std::vector<std::string> LossPieces(const Page& page);
// What is wrong with the capture file; empty where nothing is.
std::vector<std::string> LoadPieces(const Page& page);
// Where the profile came from, if another tool has recorded it, what that means for the
// numbers, and which lines are listed where not all are.
std::vector<std::string> NoteTexts(const Page& page);
// "imported from speedscope"; empty: recorded by pyrometer.
std::string OriginText(const Page& page);

}  // namespace pyrometer::tui
