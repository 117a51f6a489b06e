// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyrometer::import_ {

// What the beginning of a file of JSON shows of it, by which formats are told apart.
struct JsonSketch {
  std::vector<std::string> keys;  // of the object that it is, or of the first one in its array
  bool array = false;

  bool Has(std::string_view key) const;
};

JsonSketch SketchJson(std::string_view head);

}  // namespace pyrometer::import_
