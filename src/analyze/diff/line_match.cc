// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/line_match.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace pyrometer::analyze {
namespace {

using Lines = std::vector<std::string_view>;

// A table of so many cells is filled in milliseconds.
constexpr size_t kMostCells = 4'000'000;
// Of sections inside of sections, so that no text makes it deep.
constexpr int kMostDepth = 50;

std::string_view Stripped(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

Lines StrippedLines(std::span<const std::string> lines) {
  Lines stripped;
  stripped.reserve(lines.size());
  for (const std::string& line : lines) stripped.push_back(Stripped(line));
  return stripped;
}

// A section of both texts.
struct Section {
  size_t old_begin, old_end, new_begin, new_end;

  size_t old_size() const { return old_end - old_begin; }
  size_t new_size() const { return new_end - new_begin; }
};

class Matcher {
 public:
  Matcher(Lines old_lines, Lines new_lines)
      : old_(std::move(old_lines)), new_(std::move(new_lines)), found_(new_.size()) {}

  std::vector<std::optional<size_t>> Match() {
    MatchSection({0, old_.size(), 0, new_.size()}, 0);
    return std::move(found_);
  }

 private:
  struct Pair {
    size_t old_line, new_line;
  };

  void Set(size_t old_line, size_t new_line) { found_[new_line] = old_line; }

  void MatchSection(Section at, int depth) {
    while (at.old_size() != 0 && at.new_size() != 0 && old_[at.old_begin] == new_[at.new_begin])
      Set(at.old_begin++, at.new_begin++);
    while (at.old_size() != 0 && at.new_size() != 0 && old_[at.old_end - 1] == new_[at.new_end - 1])
      Set(--at.old_end, --at.new_end);
    if (at.old_size() == 0 || at.new_size() == 0) return;
    const bool fits = at.old_size() <= kMostCells / at.new_size();
    const std::vector<Pair> pairs = fits ? LongestCommon(at) : RisingUnique(at);
    if (pairs.empty() || depth > kMostDepth) return MatchChanged(at);
    Section gap{at.old_begin, 0, at.new_begin, 0};
    for (const Pair& pair : pairs) {
      gap.old_end = pair.old_line;
      gap.new_end = pair.new_line;
      MatchGap(gap, fits, depth);
      Set(pair.old_line, pair.new_line);
      gap.old_begin = pair.old_line + 1;
      gap.new_begin = pair.new_line + 1;
    }
    gap.old_end = at.old_end;
    gap.new_end = at.new_end;
    MatchGap(gap, fits, depth);
  }

  // Between lines that are the same. Nothing in it is, where the table was `full`.
  void MatchGap(const Section& gap, bool full, int depth) {
    if (full)
      MatchChanged(gap);
    else
      MatchSection(gap, depth + 1);
  }

  void MatchChanged(const Section& gap) {
    if (gap.old_size() != gap.new_size()) return;
    for (size_t i = 0; i < gap.old_size(); ++i) Set(gap.old_begin + i, gap.new_begin + i);
  }

  // The longest common subsequence.
  std::vector<Pair> LongestCommon(const Section& at) const {
    const size_t width = at.new_size() + 1;
    std::vector<uint32_t> length((at.old_size() + 1) * width);  // of what follows both
    for (size_t i = at.old_size(); i-- > 0;)
      for (size_t j = at.new_size(); j-- > 0;)
        length[i * width + j] =
            old_[at.old_begin + i] == new_[at.new_begin + j]
                ? length[(i + 1) * width + j + 1] + 1
                : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
    std::vector<Pair> pairs;
    for (size_t i = 0, j = 0; i < at.old_size() && j < at.new_size();) {
      if (old_[at.old_begin + i] == new_[at.new_begin + j]) {
        pairs.push_back({at.old_begin + i++, at.new_begin + j++});
      } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) {
        ++i;
      } else {
        ++j;
      }
    }
    return pairs;
  }

  // Lines that each side has once, as many of them as are in the same order: a
  // skeleton for texts that are too long for a table.
  std::vector<Pair> RisingUnique(const Section& at) const {
    struct Seen {
      size_t old_count = 0, new_count = 0, old_line = 0;
    };
    std::unordered_map<std::string_view, Seen> seen;
    for (size_t i = at.old_begin; i < at.old_end; ++i) {
      Seen& line = seen[old_[i]];
      ++line.old_count;
      line.old_line = i;
    }
    for (size_t j = at.new_begin; j < at.new_end; ++j) ++seen[new_[j]].new_count;
    // The longest rising sequence, by the piles of patience.
    std::vector<Pair> pairs;
    std::vector<size_t> tops, before;
    for (size_t j = at.new_begin; j < at.new_end; ++j) {
      const Seen& line = seen[new_[j]];
      if (line.old_count != 1 || line.new_count != 1) continue;
      const auto pile = std::lower_bound(
          tops.begin(), tops.end(), line.old_line,
          [&](size_t pair, size_t old_line) { return pairs[pair].old_line < old_line; });
      before.push_back(pile == tops.begin() ? pairs.size() : *std::prev(pile));
      if (pile == tops.end())
        tops.push_back(pairs.size());
      else
        *pile = pairs.size();
      pairs.push_back({line.old_line, j});
    }
    std::vector<Pair> rising(tops.size());
    size_t pair = tops.empty() ? 0 : tops.back();
    for (size_t i = rising.size(); i-- > 0; pair = before[pair]) rising[i] = pairs[pair];
    return rising;
  }

  const Lines old_, new_;
  std::vector<std::optional<size_t>> found_;
};

}  // namespace

std::vector<std::optional<size_t>> MatchLines(std::span<const std::string> old_lines,
                                              std::span<const std::string> new_lines) {
  return Matcher(StrippedLines(old_lines), StrippedLines(new_lines)).Match();
}

double Likeness(std::span<const std::string> a, std::span<const std::string> b) {
  std::unordered_map<std::string_view, ptrdiff_t> left;
  size_t all = 0, common = 0;
  for (const std::string_view line : StrippedLines(a)) {
    if (line.empty()) continue;
    ++left[line];
    ++all;
  }
  for (const std::string_view line : StrippedLines(b)) {
    if (line.empty()) continue;
    ++all;
    if (left[line]-- > 0) common += 2;
  }
  return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all);
}

}  // namespace pyrometer::analyze
