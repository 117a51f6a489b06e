// SPDX-License-Identifier: Apache-2.0
#include "import/core/count.h"

#include <algorithm>
#include <limits>

namespace pyrometer::import_ {

void AddCount(ProfileMaker& maker, format::ThreadId thread, format::StackId stack, uint64_t count,
              const CountMeaning& meaning) {
  if (meaning.ns == 0) {
    maker.AddMemory(thread, stack, {.at_peak = MemoryValue::Amount{count, 0}});
    return;
  }
  // Small units of time are no observations.
  constexpr uint64_t kShortestPeriodNs = 1'000'000;
  const bool are_samples = meaning.ns >= kShortestPeriodNs;
  const bool fits = count <= std::numeric_limits<uint64_t>::max() / meaning.ns;
  // What does not fit is refused, and counted, as any absurd weight is.
  maker.AddTime(thread, stack,
                {.weight_ns = fits ? count * meaning.ns : std::numeric_limits<uint64_t>::max(),
                 .count = are_samples || count == 0 ? count : 1});
}

void NoteCount(ProfileMaker& maker, const CountMeaning& meaning) {
  if (meaning.given || meaning.ns == 0) return;
  maker.AddNote("counts have no unit: each is taken for " + std::to_string(meaning.ns / 1'000'000) +
                " ms (--count-is)");
}

}  // namespace pyrometer::import_
