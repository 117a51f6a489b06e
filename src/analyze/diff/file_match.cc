// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/file_match.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "analyze/diff/line_match.h"

namespace pyrometer::analyze {
namespace {

// How much of its text a file shares with what it is taken for.
constexpr double kLeastLikeness = 0.8;
// Above so many pairs of files with one name ("__init__.py"), folders above them are not compared.
constexpr size_t kMostFilesOfOneName = 250'000;
// Above so many pairs of files, those that were renamed are not looked for: each is a comparison of
// texts.
constexpr size_t kMostRenamed = 10'000;

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

class FileMatcher {
 public:
  FileMatcher(std::span<const CodeListing::File> known, std::span<const CodeListing::File> files)
      : known_(known), files_(files), matches_(files.size()), taken_(known.size()) {}

  std::vector<std::optional<uint32_t>> Match() {
    ByPath();
    ByName();
    ByText();
    return std::move(matches_);
  }

 private:
  using Indices = std::vector<uint32_t>;

  void Set(uint32_t file, uint32_t known) {
    if (matches_[file] || taken_[known]) return;
    matches_[file] = known;
    taken_[known] = true;
  }

  void ByPath() {
    std::unordered_map<std::string_view, uint32_t> by_path;
    for (uint32_t j = 0; j < known_.size(); ++j) by_path.emplace(known_[j].path, j);
    for (uint32_t i = 0; i < files_.size(); ++i)
      if (const auto it = by_path.find(files_[i].path); it != by_path.end()) Set(i, it->second);
  }

  // The same program in another folder.
  void ByName() {
    struct Pair {
      size_t common;
      uint32_t file, known;
    };
    std::unordered_map<std::string_view, std::pair<Indices, Indices>> by_name;
    for (uint32_t i = 0; i < files_.size(); ++i)
      if (!matches_[i]) by_name[FileName(files_[i].path)].first.push_back(i);
    for (uint32_t j = 0; j < known_.size(); ++j)
      if (!taken_[j]) by_name[FileName(known_[j].path)].second.push_back(j);
    for (const auto& [name, both] : by_name) {
      const auto& [files, known] = both;
      if (name.empty() || files.size() * known.size() > kMostFilesOfOneName) continue;
      std::vector<Pair> pairs;
      for (const uint32_t i : files)
        for (const uint32_t j : known)
          pairs.push_back({CommonEnd(known_[j].path, files_[i].path), i, j});
      std::stable_sort(pairs.begin(), pairs.end(),
                       [](const Pair& a, const Pair& b) { return a.common > b.common; });
      for (const Pair& pair : pairs) Set(pair.file, pair.known);
    }
  }

  void ByText() {
    Indices files, known;
    for (uint32_t i = 0; i < files_.size(); ++i)
      if (!matches_[i] && !files_[i].lines.empty()) files.push_back(i);
    for (uint32_t j = 0; j < known_.size(); ++j)
      if (!taken_[j] && !known_[j].lines.empty()) known.push_back(j);
    if (files.size() * known.size() > kMostRenamed) return;
    for (const uint32_t i : files)
      for (const uint32_t j : known)
        if (!matches_[i] && !taken_[j] &&
            Likeness(known_[j].lines, files_[i].lines) >= kLeastLikeness)
          Set(i, j);
  }

  const std::span<const CodeListing::File> known_, files_;
  std::vector<std::optional<uint32_t>> matches_;
  std::vector<bool> taken_;  // of known_
};

}  // namespace

std::vector<std::optional<uint32_t>> MatchFiles(std::span<const CodeListing::File> known,
                                                std::span<const CodeListing::File> files) {
  return FileMatcher(known, files).Match();
}

}  // namespace pyrometer::analyze
