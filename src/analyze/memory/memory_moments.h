// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/memory/memory_history.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// All that was live at one time.
struct MemoryMoment {
  uint64_t time_ns = 0;
  std::vector<MemoryHistory::Part> parts;

  uint64_t bytes() const;
};

// When a process had most in use: as recorded for that moment. Of all processes
// together (`process` is empty): when their sum was largest, of the ends of
// windows and of the moments at which one of them had its own peak; then the
// others are as at the end of their window before.
MemoryMoment FindPeak(const profile::Profile& profile, const MemoryHistory& history,
                      std::optional<format::ProcessId> process);

// What was live when the last line of the program had run. Of all processes: the
// sum of what each had at its own end; the time is that of the last.
MemoryMoment FindEnd(const profile::Profile& profile, const MemoryHistory& history,
                     std::optional<format::ProcessId> process);

}  // namespace pyrometer::analyze
