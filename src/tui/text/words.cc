// SPDX-License-Identifier: Apache-2.0
#include "tui/text/words.h"

#include <bit>

#include "tui/text/number.h"

namespace pyrometer::tui {

std::string RankedBy(const metric::Info& info) {
  const std::string by = "by " + std::string(info.phrase);
  // Of sums it is asked what is in them.
  return std::has_single_bit(info.parts) ? by : by + " (" + std::string(info.meaning) + ")";
}

std::string HeadOf(const metric::Info& info) {
  switch (info.unit) {
    case metric::Unit::kNanoseconds:
      return std::string(info.head) + " s";
    case metric::Unit::kBytes:
      return std::string(info.head) + " MB";
    case metric::Unit::kCount:
      break;
  }
  return std::string(info.head);
}

std::string ValueText(const metric::Info& info, uint64_t value, int decimals) {
  switch (info.unit) {
    case metric::Unit::kNanoseconds:
      return Seconds(value, decimals);
    case metric::Unit::kBytes:
      return Megabytes(static_cast<double>(value));
    case metric::Unit::kCount:
      break;
  }
  return Count(value);
}

std::string_view ShortName(format::Activity activity) {
  return metric::InfoOf(metric::Of(activity)).head;
}

Tone ToneOf(format::Activity activity) {
  switch (activity) {
    case format::Activity::kPython:
      return Tone::kPython;
    case format::Activity::kNative:
      return Tone::kNative;
    case format::Activity::kKernel:
      return Tone::kKernel;
    default:
      return Tone::kWait;
  }
}

}  // namespace pyrometer::tui
