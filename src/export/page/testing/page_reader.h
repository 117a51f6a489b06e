// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/page/column_section.h"

namespace pyrometer::export_::testing {

// A page's data as a reader sees it who knows nothing but docs/format/page-data.md.
class PageReader {
 public:
  struct Section {
    SectionEncoding encoding{};
    uint64_t count = 0;
    std::string bytes;
  };

  // Empty where `file` is not as the format says, to the last byte.
  static std::optional<PageReader> Read(std::string_view file);

  const std::map<std::string, Section>& sections() const { return sections_; }
  std::string Text(const std::string& name) const;
  // Decoded; fails the test where these are none.
  std::vector<uint64_t> Numbers(const std::string& name) const;
  std::vector<std::string> Strings(const std::string& name) const;
  // A column of numbers of strings, as their texts.
  std::vector<std::string> Texts(const std::string& name) const;

  // A stack as "function:line > function", root first; flags in brackets.
  std::string Stack(uint64_t node) const;

 private:
  std::map<std::string, Section> sections_;
};

}  // namespace pyrometer::export_::testing
