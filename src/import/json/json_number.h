// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pyrometer::import_ {

// The text of a number of JSON, times 10^`digits`, rounded; exact where doubles are not, as
// with times since 1970. Empty: no number, or beyond what is ever measured.
std::optional<int64_t> ScaledNumber(std::string_view text, int digits);

// As a double; empty: no number, or not finite.
std::optional<double> RealNumber(std::string_view text);

// `value` times `factor`, rounded; empty: negative, or beyond what is ever measured.
std::optional<uint64_t> Amount(double value, double factor = 1);

}  // namespace pyrometer::import_
