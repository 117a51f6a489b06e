// SPDX-License-Identifier: Apache-2.0
#include "import/memray/csv_row.h"

namespace pyrometer::import_ {

const std::vector<std::string_view>* CsvRow::Split(std::string_view line) {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(line.size());  // views into it must stay where they are
  for (size_t at = 0;; ++at) {
    if (at < line.size() && line[at] == '"') {
      const size_t begin = unquoted_.size();
      for (++at;; ++at) {
        if (at >= line.size()) return nullptr;
        if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        unquoted_ += line[at];
      }
      fields_.push_back(std::string_view(unquoted_).substr(begin));
      ++at;
      if (at < line.size() && line[at] != ',') return nullptr;
    } else {
      const size_t end = std::min(line.find(',', at), line.size());
      fields_.push_back(line.substr(at, end - at));
      at = end;
    }
    if (at >= line.size()) return &fields_;
  }
}

}  // namespace pyrometer::import_
