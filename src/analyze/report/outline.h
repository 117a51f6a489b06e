// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analyze/report/memory_account.h"
#include "analyze/report/report.h"
#include "profile/profile.h"

// Who ran, and when: the part of a report that needs no stacks.
namespace pyrometer::analyze {

// The main thread (index) of each process. By kernel rule its tid is the pid; where
// that was not recorded, the first thread of the process stands in.
std::vector<std::optional<size_t>> FindMainThreads(const profile::Profile& profile);

// When each process ran, as far as it was seen.
std::vector<Span> FindSpans(const profile::Profile& profile);

// A process without its view, and a thread without its time and memory.
ProcessReport DescribeProcess(const profile::Process& process);
ThreadStats DescribeThread(const profile::Profile& profile, size_t thread, bool main,
                           uint64_t process_end_ns);

// Fills the losses, costs and facts of `report`, with what CheckCpuBalance finds.
void ListCounters(const profile::Profile& profile, Report& report);

// A report with processes, threads and counters and without anything that is added up:
// for who does that himself.
Report BuildOutline(const profile::Profile& profile);

}  // namespace pyrometer::analyze
