// SPDX-License-Identifier: Apache-2.0
#include "metric/amount_text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace pyrometer::metric {
namespace {

std::string Formatted(const char* format, double value) {
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), format, value);
  return {text.data(), static_cast<size_t>(length)};
}

std::string ThreeDigits(double value) {
  const double size = std::abs(value);
  return Formatted(size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%.0f", value);
}

std::string TimeText(double ns) {
  const double size = std::abs(ns);
  if (size == 0) return "0 s";
  if (size < 999.5) return Formatted("%.0f ns", ns);
  if (size < 999.5e3) return ThreeDigits(ns / 1e3) + " us";
  if (size < 999.5e6) return ThreeDigits(ns / 1e6) + " ms";
  return ThreeDigits(ns / 1e9) + " s";
}

std::string BytesText(double bytes) {
  const double size = std::abs(bytes);
  if (size < 999.5) return Formatted("%.0f B", bytes);
  if (size < 999.5e3) return ThreeDigits(bytes / 1e3) + " kB";
  if (size < 999.5e6) return ThreeDigits(bytes / 1e6) + " MB";
  return ThreeDigits(bytes / 1e9) + " GB";
}

}  // namespace

std::string AmountText(const Info& info, double amount) {
  switch (info.unit) {
    case Unit::kNanoseconds:
      return TimeText(amount);
    case Unit::kBytes:
      return BytesText(amount);
    case Unit::kCount:
      break;
  }
  return Formatted("%.0f", amount);
}

}  // namespace pyrometer::metric
