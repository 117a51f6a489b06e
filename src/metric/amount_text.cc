// SPDX-License-Identifier: Apache-2.0
#include "metric/amount_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string_view>

namespace pyrometer::metric {
namespace {

struct Scale {
  double one;
  std::string_view name;
};

constexpr Scale kTimeScales[] = {{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}, {1, " ns"}};
constexpr Scale kByteScales[] = {
    {1e12, " TB"}, {1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}, {1, " B"}};
constexpr Scale kCountScales[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}};
// So much of a unit is a whole one when it is rounded to three digits.
constexpr double kRoundedUp = 0.9995;
// Of a count, all digits are shown below.
constexpr double kLargeCount = 1e6;

// Commas between thousands.
std::string WithThousands(std::string digits) {
  const size_t begin = digits.front() == '-' ? 1 : 0;
  for (size_t at = std::min(digits.find('.'), digits.size()); at > begin + 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

// A tie is rounded away from zero, where printf would round it to even.
std::string Digits(double value, int decimals) {
  const double away = std::copysign(std::numeric_limits<double>::infinity(), value);
  std::array<char, 400> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals,
                                   value == 0 ? 0 : std::nextafter(value, away));
  return WithThousands({text.data(), static_cast<size_t>(length)});
}

std::string ThreeDigits(double value) {
  const double size = std::abs(value);
  return Digits(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

std::string WithUnit(double amount, std::span<const Scale> scales) {
  const double size = std::abs(amount);
  const Scale* scale = &scales.front();
  while (size < scale->one * kRoundedUp && scale != &scales.back()) ++scale;
  return (scale->one == 1 ? Digits(amount, 0) : ThreeDigits(amount / scale->one)) +
         std::string(scale->name);
}

}  // namespace

std::string TimeText(double ns) { return ns == 0 ? "0 s" : WithUnit(ns, kTimeScales); }

std::string BytesText(double bytes) { return WithUnit(bytes, kByteScales); }

std::string CountText(uint64_t count) { return WithThousands(std::to_string(count)); }

std::string AmountText(const Info& info, double amount) {
  switch (info.unit) {
    case Unit::kNanoseconds:
      return TimeText(amount);
    case Unit::kBytes:
      return BytesText(amount);
    case Unit::kCount:
      break;
  }
  return std::abs(amount) < kLargeCount ? Digits(amount, 0) : WithUnit(amount, kCountScales);
}

std::string PercentDigits(double percent) {
  const double size = std::abs(percent);
  if (size > 0 && size < 0.05) return percent < 0 ? ">-0.1" : "<0.1";
  return Digits(percent, size < 99.95 ? 1 : 0);
}

std::string ShareText(double part, double whole) {
  return whole == 0 ? "-" : PercentDigits(100 * part / whole) + " %";
}

std::string WholePercent(uint64_t part, uint64_t whole) {
  const double share = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  return Digits(100 * share, 0) + " %";
}

}  // namespace pyrometer::metric
