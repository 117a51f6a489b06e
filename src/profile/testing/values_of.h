// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace pyrometer::profile::testing {

// A column as something that matchers know.
template <class Column>
auto ValuesOf(const Column& column) {
  std::vector<decltype(column[0])> values;
  for (size_t i = 0; i < column.size(); ++i) values.push_back(column[i]);
  return values;
}

}  // namespace pyrometer::profile::testing
