// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "analyze/memory/memory_history.h"
#include "analyze/report/memory_account.h"
#include "analyze/report/report.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

inline constexpr size_t kMostLevels = 120;

// Fills the levels and the growth of `memory`, whose peak_ns is there: of one
// process, or the sums over all (`process` is empty). Sums of RSS count pages
// that processes share several times; those of PSS do not.
void FillLevels(const profile::Profile& profile, const MemoryHistory& history,
                std::optional<format::ProcessId> process, const Span& span, ViewMemory& memory);

}  // namespace pyrometer::analyze
