// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/report/report.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// Words of a command line as one line for a title, with the program's folder and
// what is beyond 200 bytes cut off.
std::string CommandTitle(const std::vector<std::string>& words);

// The parent of each process as index + 1, 0: not among them. Walking parents
// always ends, whatever the pids say.
std::vector<uint32_t> ParentNumbers(const profile::Profile& profile);

// The threads of a profile, in its order, as the report describes them.
std::vector<const analyze::ThreadStats*> ThreadsOf(const profile::Profile& profile,
                                                   const analyze::Report& report);

// The thread that the user sits through.
std::optional<uint32_t> MainThread(const profile::Profile& profile,
                                   const std::vector<const analyze::ThreadStats*>& threads);

uint64_t EndOf(const analyze::ProcessReport& process);
// The end of the run, as far as it was seen.
uint64_t EndOf(const profile::Profile& profile, const analyze::Report& report);

}  // namespace pyrometer::export_
