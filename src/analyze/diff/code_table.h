// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyze/diff/code_listing.h"

namespace pyrometer::analyze {

// Functions and lines of several runs, of which some ran another version of the code:
// what is the same function, or the same line, has one index. Functions are the same
// by file and name, wherever the file lies, else by their text; lines by the text of
// their function.
//
// Thread-safety: none; one owner.
class CodeTable {
 public:
  enum class Side : uint8_t { kBase, kNew };

  struct Place {
    std::string path{};  // relative to where the program was started
    std::string function{};
    uint32_t line = 0;  // of a function: its first

    friend bool operator==(const Place&, const Place&) = default;
  };
  // Where something is in each version; empty: it is not there, or has nothing.
  struct Entry {
    std::optional<Place> base{}, now{};
    std::string text{};     // of a line, as it is now, else as it was
    uint32_t function = 0;  // of a line

    const Place& place() const { return now ? *now : *base; }
  };
  // Indices of a run's functions, and of its lines.
  struct Indices {
    std::vector<uint32_t> functions{};
    std::vector<uint32_t> lines{};
  };

  // Runs of the new side come first: others are matched with what is there. Their texts must
  // stay where they are.
  Indices Add(const CodeListing& code, Side side);

  const std::vector<Entry>& functions() const { return functions_; }
  const std::vector<Entry>& lines() const { return lines_; }

 private:
  using Matches = std::vector<std::optional<uint32_t>>;  // indices of this table

  // What is kept of a function besides its entry.
  struct Known {
    uint32_t file = 0;
    std::string name{};
    uint32_t first_line = 0;
    std::span<const std::string> text{};         // its lines; empty: not recorded
    std::map<uint64_t, uint32_t> line_of_key{};  // index in lines_
  };

  Matches MatchFunctions(const CodeListing& code, const Matches& files, Side side) const;
  void MatchByText(const CodeListing& code, const Matches& files, Matches& functions) const;
  uint32_t AddFunction(const CodeListing& code, const CodeListing::Function& function,
                       Matches& files);
  uint32_t AddLine(uint32_t function, uint64_t key);

  // Functions of earlier runs of each side by place: the runs of a side are mostly of
  // the same code.
  std::map<std::tuple<std::string, std::string, uint32_t>, uint32_t> seen_[2];
  std::vector<Entry> functions_, lines_;
  std::vector<Known> known_;                                                   // by function
  std::map<std::pair<uint32_t, std::string>, std::vector<uint32_t>> by_name_;  // and file
  std::vector<CodeListing::File> files_;
};

}  // namespace pyrometer::analyze
