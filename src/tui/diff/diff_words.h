// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/diff/diff.h"

// What all formats say about a comparison, and which rows they show. Texts are made
// of names that are not trusted and have not been made printable.
namespace pyrometer::tui {

// A finding, most important first: what has changed by more than chance; or that
// nothing has.
std::vector<std::string> Findings(const analyze::Diff& diff);
// What to know about the comparison, a sentence each: the speed of the machine, what
// could not have been seen, what differs between the sides.
std::vector<std::string> Remarks(const analyze::Diff& diff);

// Whether something of it has changed by more than chance.
bool HasFindings(const analyze::MetricDiff& diff);

struct DiffTable {
  std::string_view title;
  std::vector<const analyze::DiffRow*> rows;
  size_t more = 0;  // significant rows beyond these
};
// Functions, lines and call paths that have changed by more than chance. Where there
// are none, the functions that differ most.
std::vector<DiffTable> TablesOf(const analyze::MetricDiff& diff, size_t rows);

// The row's function, line, or call path.
std::string NameOf(const analyze::DiffRow& row);
// Where it is: "app.py:12"; "app.py:12, gone"; empty for the outside.
std::string PlaceOf(const analyze::DiffRow& row);

}  // namespace pyrometer::tui
