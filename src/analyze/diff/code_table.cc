// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/code_table.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

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
// Keys of lines that are not in the text that others are matched with.
constexpr uint64_t kOtherText = uint64_t{1} << 32;

size_t IndentOf(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}
bool IsBlank(std::string_view line) { return IndentOf(line) == line.size(); }

// The lines of a function that begins at `first_line`: as far as they are indented
// more than its head.
std::vector<std::string> TextOf(const RunAmounts::File& file, const std::string& name,
                                uint32_t first_line) {
  const std::vector<std::string>& lines = file.lines;
  if (name == "<module>") return lines;
  if (first_line == 0 || first_line > lines.size()) return {};
  const size_t begin = first_line - 1;
  const size_t indent = IndentOf(lines[begin]);
  size_t end = begin + 1;
  bool decorated = lines[begin].compare(indent, 1, "@") == 0;
  for (; end < lines.size(); ++end) {
    const std::string& line = lines[end];
    if (IsBlank(line) || IndentOf(line) > indent) continue;
    // A head in several lines, or behind decorators.
    const char first = line[IndentOf(line)];
    if (IndentOf(line) < indent || (!decorated && first != ')')) break;
    decorated = first == '@';
  }
  while (end > begin + 1 && IsBlank(lines[end - 1])) --end;
  return {lines.begin() + static_cast<ptrdiff_t>(begin),
          lines.begin() + static_cast<ptrdiff_t>(end)};
}

std::string_view LastName(std::string_view qualified) {
  return qualified.substr(qualified.rfind('.') + 1);
}
std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// How many folders and files two paths have in common from their end on.
size_t CommonEnd(std::string_view a, std::string_view b) {
  size_t common = 0;
  while (!a.empty() && !b.empty() && FileName(a) == FileName(b)) {
    ++common;
    a = a.substr(0, a.size() - FileName(a).size());
    b = b.substr(0, b.size() - FileName(b).size());
    if (a.ends_with('/')) a.remove_suffix(1);
    if (b.ends_with('/')) b.remove_suffix(1);
  }
  return common;
}

bool Defines(std::span<const std::string> lines, std::string_view name) {
  const std::string head = "def " + std::string(LastName(name)) + "(";
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(head) != line.npos; });
}

std::set<uint32_t> Taken(const std::vector<std::optional<uint32_t>>& matches) {
  std::set<uint32_t> taken;
  for (const auto& match : matches)
    if (match) taken.insert(*match);
  return taken;
}

}  // namespace

CodeTable::Matches CodeTable::MatchFiles(const RunAmounts& run) const {
  Matches matches(run.files.size());
  for (size_t i = 0; i < run.files.size(); ++i)
    for (uint32_t j = 0; j < files_.size(); ++j)
      if (files_[j].path == run.files[i].relative) matches[i] = j;
  // The same program in another folder.
  struct Pair {
    size_t common;
    size_t file;
    uint32_t known;
  };
  std::vector<Pair> pairs;
  std::set<uint32_t> taken = Taken(matches);
  for (size_t i = 0; i < run.files.size(); ++i)
    for (uint32_t j = 0; j < files_.size() && !matches[i]; ++j)
      if (const size_t common = CommonEnd(files_[j].path, run.files[i].relative); common != 0)
        pairs.push_back({common, i, j});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.common > b.common; });
  for (const Pair& pair : pairs)
    if (!matches[pair.file] && taken.insert(pair.known).second) matches[pair.file] = pair.known;
  // The same text under another name.
  for (size_t i = 0; i < run.files.size(); ++i)
    for (uint32_t j = 0; j < files_.size() && !matches[i]; ++j)
      if (!taken.contains(j) && Likeness(files_[j].lines, run.files[i].lines) >= kOtherNameLikeness)
        matches[i] = *taken.insert(j).first;
  return matches;
}

CodeTable::Matches CodeTable::MatchFunctions(const RunAmounts& run, const Matches& files,
                                             Side side) const {
  Matches matches(run.functions.size());
  std::set<uint32_t> taken;
  const auto& seen = seen_[static_cast<size_t>(side)];
  for (size_t i = 0; i < run.functions.size(); ++i) {
    const RunAmounts::Function& function = run.functions[i];
    const auto it =
        seen.find({run.files[function.file].relative, function.name, function.first_line});
    if (it != seen.end() && taken.insert(it->second).second) matches[i] = it->second;
  }
  // Of several functions with one name, those with the same text first, then those at
  // the same line, then in their order.
  for (const int round : {0, 1, 2})
    for (size_t i = 0; i < run.functions.size(); ++i) {
      const RunAmounts::Function& function = run.functions[i];
      const auto file = files[function.file];
      if (!file || matches[i]) continue;
      for (uint32_t j = 0; j < known_.size() && !matches[i]; ++j) {
        const Known& known = known_[j];
        if (known.file != *file || known.name != function.name || taken.contains(j)) continue;
        if (round == 2 || (round == 1 && known.first_line == function.first_line) ||
            (round == 0 && !known.text.empty() &&
             known.text == TextOf(run.files[function.file], function.name, function.first_line))) {
          matches[i] = j;
          taken.insert(j);
        }
      }
    }
  return matches;
}

// A function that has no time in `run`, but is in its source, has not moved.
bool CodeTable::IsStillThere(const Known& known, const RunAmounts& run,
                             const Matches& files) const {
  for (size_t i = 0; i < run.files.size(); ++i)
    if (files[i] == known.file) return Defines(run.files[i].lines, known.name);
  return false;
}

void CodeTable::MatchByText(const RunAmounts& run, const Matches& files, Matches& functions) const {
  std::vector<uint32_t> gone;
  const std::set<uint32_t> taken = Taken(functions);
  for (uint32_t j = 0; j < known_.size(); ++j)
    if (!taken.contains(j) && !known_[j].text.empty() && known_[j].name != "<module>" &&
        !IsStillThere(known_[j], run, files))
      gone.push_back(j);
  std::vector<size_t> fresh;
  for (size_t i = 0; i < run.functions.size(); ++i) {
    const RunAmounts::Function& function = run.functions[i];
    const bool listed =
        files[function.file] && Defines(files_[*files[function.file]].lines, function.name);
    if (!functions[i] && !listed && function.name != "<module>") fresh.push_back(i);
  }
  if (gone.size() * fresh.size() > kMostPairs) return;
  struct Pair {
    double likeness;
    size_t function;
    uint32_t known;
  };
  std::vector<Pair> pairs;
  for (const size_t i : fresh) {
    const RunAmounts::Function& function = run.functions[i];
    const std::vector<std::string> text =
        TextOf(run.files[function.file], function.name, function.first_line);
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

uint32_t CodeTable::AddFunction(const RunAmounts& run, const RunAmounts::Function& function,
                                Matches& files) {
  if (!files[function.file]) {
    files[function.file] = static_cast<uint32_t>(files_.size());
    files_.push_back({run.files[function.file].relative, run.files[function.file].lines});
  }
  known_.push_back({*files[function.file],
                    function.name,
                    function.first_line,
                    TextOf(run.files[function.file], function.name, function.first_line),
                    {}});
  functions_.emplace_back();
  return static_cast<uint32_t>(functions_.size() - 1);
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

CodeTable::Indices CodeTable::Add(const RunAmounts& run, Side side) {
  Matches files = MatchFiles(run);
  Matches matches = MatchFunctions(run, files, side);
  MatchByText(run, files, matches);
  Indices indices;
  std::vector<std::vector<std::optional<size_t>>> line_maps;
  const auto note = [side](Entry& entry, const Place& place) {
    std::optional<Place>& noted = side == Side::kNew ? entry.now : entry.base;
    if (!noted) noted = place;
  };
  for (size_t i = 0; i < run.functions.size(); ++i) {
    const RunAmounts::Function& function = run.functions[i];
    const RunAmounts::File& file = run.files[function.file];
    const uint32_t index = matches[i] ? *matches[i] : AddFunction(run, function, files);
    indices.functions.push_back(index);
    line_maps.push_back(
        MatchLines(known_[index].text, TextOf(file, function.name, function.first_line)));
    note(functions_[index], {file.relative, function.name, function.first_line});
    seen_[static_cast<size_t>(side)].insert(
        {{file.relative, function.name, function.first_line}, index});
  }
  for (const RunAmounts::Line& line : run.lines) {
    const RunAmounts::Function& function = run.functions[line.function];
    const RunAmounts::File& file = run.files[function.file];
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
    note(entry, {file.relative, function.name, line.line});
    if (entry.text.empty() && line.line != 0 && line.line <= file.lines.size())
      entry.text = file.lines[line.line - 1];
  }
  return indices;
}

}  // namespace pyrometer::analyze
