// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "import/json/json_number.h"
#include "import/json/json_reader.h"

namespace pyrometer::import_ {

// The next value as what it should be; where it is something else, as if it were not there.
inline std::string ReadText(JsonReader& json) { return std::string(json.Text().value_or("")); }

inline std::optional<int64_t> ReadWhole(JsonReader& json) {
  const auto text = json.Number();
  return text ? ScaledNumber(*text, 0) : std::nullopt;
}

inline std::optional<double> ReadReal(JsonReader& json) {
  const auto text = json.Number();
  return text ? RealNumber(*text) : std::nullopt;
}

// The number of a line, or of an entry in a list. 0 for all that is none.
inline uint32_t ReadSmall(JsonReader& json) {
  const int64_t number = ReadWhole(json).value_or(0);
  return number > 0 && number <= std::numeric_limits<uint32_t>::max()
             ? static_cast<uint32_t>(number)
             : 0;
}

}  // namespace pyrometer::import_
