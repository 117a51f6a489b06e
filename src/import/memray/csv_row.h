// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyrometer::import_ {

// Splits a line at its commas; what stands in quotes has none. Gives nothing where a quote is
// not closed.
//
// Thread-safety: none; one owner.
class CsvRow {
 public:
  // The fields, valid until the next call and as long as `line`.
  const std::vector<std::string_view>* Split(std::string_view line);

 private:
  std::vector<std::string_view> fields_;
  std::string unquoted_;  // fields that had quotes
};

}  // namespace pyrometer::import_
