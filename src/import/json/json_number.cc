// SPDX-License-Identifier: Apache-2.0
#include "import/json/json_number.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace pyrometer::import_ {
namespace {

// Sums and differences of a few of these do not overflow.
constexpr uint64_t kLimit = uint64_t{1} << 61;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Digits without a point, and where it is.
struct Decimal {
  uint64_t mantissa = 0;
  int64_t exponent = 0;
  bool any = false;

  void Add(char digit, bool fraction) {
    any = true;
    // What a mantissa cannot hold any more is too small to matter.
    constexpr uint64_t kRoom = (std::numeric_limits<uint64_t>::max() - 9) / 10;
    if (mantissa <= kRoom) {
      mantissa = mantissa * 10 + static_cast<uint64_t>(digit - '0');
      exponent -= fraction ? 1 : 0;
    } else {
      exponent += fraction ? 0 : 1;
    }
  }
};

std::optional<uint64_t> Whole(Decimal decimal) {
  for (; decimal.exponent > 0 && decimal.mantissa != 0; --decimal.exponent) {
    if (decimal.mantissa >= kLimit) return {};
    decimal.mantissa *= 10;
  }
  if (decimal.exponent < -20) return 0;
  uint64_t divisor = 1;
  // 10^20 is more than a mantissa can be.
  for (; decimal.exponent < -19; ++decimal.exponent) decimal.mantissa /= 10;
  for (; decimal.exponent < 0; ++decimal.exponent) divisor *= 10;
  uint64_t value = decimal.mantissa / divisor;
  if (decimal.mantissa % divisor >= divisor - divisor / 2) ++value;
  if (value >= kLimit) return {};
  return value;
}

}  // namespace

std::optional<int64_t> ScaledNumber(std::string_view text, int digits) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  Decimal decimal;
  for (; at != end && IsDigit(*at); ++at) decimal.Add(*at, false);
  if (at != end && *at == '.')
    for (++at; at != end && IsDigit(*at); ++at) decimal.Add(*at, true);
  if (!decimal.any) return {};
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at != end && *at == '+') ++at;
    int exponent = 0;
    const auto [stop, error] = std::from_chars(at, end, exponent);
    if (error == std::errc::result_out_of_range) return {};
    if (error != std::errc()) return {};
    decimal.exponent += exponent;
    at = stop;
  }
  if (at != end) return {};
  decimal.exponent += digits;
  const std::optional<uint64_t> value = Whole(decimal);
  if (!value) return {};
  return negative ? -static_cast<int64_t>(*value) : static_cast<int64_t>(*value);
}

std::optional<double> RealNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<uint64_t> Amount(double value, double factor) {
  const double scaled = std::round(value * factor);
  if (!(scaled >= 0 && scaled < static_cast<double>(kLimit))) return {};
  return static_cast<uint64_t>(scaled);
}

}  // namespace pyrometer::import_
