// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/code_table.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyze/diff/file_match.h"
#include "analyze/diff/function_text.h"
#include "analyze/diff/line_match.h"

namespace pyrometer::analyze {
namespace {

// How much of its text a function shares with what it is taken for: with its own name
// in another file, and under another name.
constexpr double kSameNameLikeness = 0.5, kOtherNameLikeness = 0.8;
// Fewer lines are alike by accident.
constexpr size_t kLeastRenamedLines = 4;
// Above so many pairs, functions that were renamed are not looked for.
constexpr size_t kMostPairs = 250'000;
// Of more functions with one name in one file, lambdas for instance, only the order counts.
constexpr size_t kMostOfOneName = 500;
// Keys of lines that are not in the text that others are matched with.
constexpr uint64_t kOtherText = uint64_t{1} << 32;

std::set<uint32_t> Taken(const std::vector<std::optional<uint32_t>>& matches) {
  std::set<uint32_t> taken;
  for (const auto& match : matches)
    if (match) taken.insert(*match);
  return taken;
}

}  // namespace

CodeTable::Matches CodeTable::MatchFunctions(const CodeListing& code, const Matches& files,
                                             Side side) const {
  Matches matches(code.functions.size());
  std::vector<bool> taken(known_.size());
  const auto set = [&](size_t function, uint32_t known) {
    matches[function] = known;
    taken[known] = true;
  };
  const auto& seen = seen_[static_cast<size_t>(side)];
  std::map<std::pair<uint32_t, std::string_view>, std::vector<size_t>> by_name;
  for (size_t i = 0; i < code.functions.size(); ++i) {
    const CodeListing::Function& function = code.functions[i];
    const auto it = seen.find({std::string(code.files[function.file].path),
                               std::string(function.name), function.first_line});
    if (it != seen.end() && !taken[it->second])
      set(i, it->second);
    else if (files[function.file])
      by_name[{*files[function.file], function.name}].push_back(i);
  }
  const auto in_order = [](auto& indices, auto first_line) {
    std::ranges::stable_sort(indices, {}, first_line);
  };
  for (auto& [place, functions] : by_name) {
    const auto namesakes = by_name_.find({place.first, std::string(place.second)});
    if (namesakes == by_name_.end()) continue;
    std::vector<uint32_t> known = namesakes->second;
    in_order(functions, [&](size_t i) { return code.functions[i].first_line; });
    in_order(known, [&](uint32_t j) { return known_[j].first_line; });
    // Those with the same text first, then those at the same line, then as they follow each other.
    const bool many = functions.size() > kMostOfOneName || known.size() > kMostOfOneName;
    for (const int round : {0, 1, 2}) {
      if (many && round != 2) continue;
      auto next = known.begin();  // of the last round
      for (const size_t i : functions) {
        if (matches[i]) continue;
        const CodeListing::Function& function = code.functions[i];
        const auto text = TextOf(code, function);
        const auto same = [&](uint32_t j) {
          if (taken[j]) return false;
          if (round == 2) return true;
          if (round == 1) return known_[j].first_line == function.first_line;
          return !known_[j].text.empty() && std::ranges::equal(known_[j].text, text);
        };
        const auto it = std::find_if(round == 2 ? next : known.begin(), known.end(), same);
        if (round == 2) next = it;
        if (it != known.end()) set(i, *it);
      }
    }
  }
  return matches;
}

void CodeTable::MatchByText(const CodeListing& code, const Matches& files,
                            Matches& functions) const {
  std::map<uint32_t, std::span<const std::string>> now;  // texts of known files in `code`
  for (size_t i = 0; i < code.files.size(); ++i)
    if (files[i]) now.try_emplace(*files[i], code.files[i].lines);
  // A function that has no time in `code`, but is in its source, has not moved.
  const auto is_still_there = [&](const Known& known) {
    const auto lines = now.find(known.file);
    return lines != now.end() && Defines(lines->second, known.name);
  };
  std::vector<uint32_t> gone;
  const std::set<uint32_t> taken = Taken(functions);
  for (uint32_t j = 0; j < known_.size(); ++j)
    if (!taken.contains(j) && !known_[j].text.empty() && known_[j].name != "<module>" &&
        !is_still_there(known_[j]))
      gone.push_back(j);
  std::vector<size_t> fresh;
  for (size_t i = 0; i < code.functions.size(); ++i) {
    const CodeListing::Function& function = code.functions[i];
    if (functions[i] || function.name == "<module>" || TextOf(code, function).empty()) continue;
    const bool listed =
        files[function.file] && Defines(files_[*files[function.file]].lines, function.name);
    if (!listed) fresh.push_back(i);
  }
  if (gone.size() * fresh.size() > kMostPairs) return;
  struct Pair {
    double likeness;
    size_t function;
    uint32_t known;
  };
  std::vector<Pair> pairs;
  for (const size_t i : fresh) {
    const CodeListing::Function& function = code.functions[i];
    const std::span<const std::string> text = TextOf(code, function);
    for (const uint32_t j : gone) {
      const bool same_name = LastName(known_[j].name) == LastName(function.name);
      if (!same_name && std::min(text.size(), known_[j].text.size()) < kLeastRenamedLines) continue;
      const double likeness = Likeness(known_[j].text, text);
      if (likeness >= (same_name ? kSameNameLikeness : kOtherNameLikeness))
        pairs.push_back({likeness + (same_name ? 1 : 0), i, j});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.likeness > b.likeness; });
  std::set<uint32_t> used;
  for (const Pair& pair : pairs)
    if (!functions[pair.function] && used.insert(pair.known).second)
      functions[pair.function] = pair.known;
}

uint32_t CodeTable::AddFunction(const CodeListing& code, const CodeListing::Function& function,
                                Matches& files) {
  if (!files[function.file]) {
    files[function.file] = static_cast<uint32_t>(files_.size());
    files_.push_back(code.files[function.file]);
  }
  const auto index = static_cast<uint32_t>(functions_.size());
  const uint32_t file = *files[function.file];
  known_.push_back(
      {file, std::string(function.name), function.first_line, TextOf(code, function), {}});
  by_name_[{file, std::string(function.name)}].push_back(index);
  functions_.emplace_back();
  return index;
}

uint32_t CodeTable::AddLine(uint32_t function, uint64_t key) {
  const auto [it, fresh] =
      known_[function].line_of_key.try_emplace(key, static_cast<uint32_t>(lines_.size()));
  if (fresh) {
    lines_.emplace_back();
    lines_.back().function = function;
  }
  return it->second;
}

CodeTable::Indices CodeTable::Add(const CodeListing& code, Side side) {
  Matches files = MatchFiles(files_, code.files);
  Matches matches = MatchFunctions(code, files, side);
  MatchByText(code, files, matches);
  Indices indices;
  std::vector<std::vector<std::optional<size_t>>> line_maps;
  const auto note = [side](Entry& entry, const Place& place) {
    std::optional<Place>& noted = side == Side::kNew ? entry.now : entry.base;
    if (!noted) noted = place;
  };
  for (size_t i = 0; i < code.functions.size(); ++i) {
    const CodeListing::Function& function = code.functions[i];
    const uint32_t index = matches[i] ? *matches[i] : AddFunction(code, function, files);
    indices.functions.push_back(index);
    line_maps.push_back(MatchLines(known_[index].text, TextOf(code, function)));
    const std::string path(code.files[function.file].path), name(function.name);
    note(functions_[index], {path, name, function.first_line});
    seen_[static_cast<size_t>(side)].insert({{path, name, function.first_line}, index});
  }
  for (const CodeListing::Line& line : code.lines) {
    const CodeListing::Function& function = code.functions[line.function];
    const CodeListing::File& file = code.files[function.file];
    const uint32_t index = indices.functions[line.function];
    const std::vector<std::optional<size_t>>& map = line_maps[line.function];
    // By position in the function; that of a module begins with its file.
    const uint32_t begin = function.name == "<module>" ? 1 : function.first_line;
    const uint64_t offset = uint64_t{line.line} - begin;  // beyond the text where it is before it
    uint64_t key = kOtherText + line.line;
    if (line.line == 0)
      key = ~uint64_t{0};
    else if (offset < map.size())
      key = map[offset].value_or(key);
    else if (map.empty() && known_[index].text.empty())
      key = offset;
    indices.lines.push_back(AddLine(index, key));
    Entry& entry = lines_[indices.lines.back()];
    note(entry, {std::string(file.path), std::string(function.name), line.line});
    if (entry.text.empty() && line.line != 0 && line.line <= file.lines.size())
      entry.text = file.lines[line.line - 1];
  }
  return indices;
}

}  // namespace pyrometer::analyze
