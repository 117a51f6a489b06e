// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/grouped_rows.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// Whose time is added up: the rows of a profile that are of one process, or all of them.
struct TimedRows {
  base::RowList samples, awaits, amounts;

  size_t size() const { return samples.size() + awaits.size() + amounts.size(); }
};

// Finds the rows of each process without a look at those of the others.
//
// Owned by BuildReport; keeps a reference to the profile. Thread-safety: immutable after
// construction.
class ProcessRows {
 public:
  // Unless `by_process`, only all rows can be had, and nothing is put in order.
  ProcessRows(const profile::Profile& profile, bool by_process) : profile_(profile) {
    if (!by_process) return;
    const size_t processes = profile.processes.size();
    const auto process_of = [&](format::ThreadId thread) {
      return profile.threads[thread.value].info.process.value;
    };
    samples_ = base::GroupedRows(profile.samples.size(), processes,
                                 [&](size_t i) { return process_of(profile.samples.thread[i]); });
    awaits_ = base::GroupedRows(profile.awaits.size(), processes, [&](size_t i) {
      return profile.tasks[profile.awaits[i].task.value].info.process.value;
    });
    amounts_ = base::GroupedRows(profile.amounts.size(), processes,
                                 [&](size_t i) { return process_of(profile.amounts[i].thread); });
  }

  TimedRows Of(std::optional<size_t> process) const {
    using base::RowList;
    if (process && profile_.processes.size() > 1)
      return {RowList(samples_.Of(*process)), RowList(awaits_.Of(*process)),
              RowList(amounts_.Of(*process))};
    return {RowList(profile_.samples.size()), RowList(profile_.awaits.size()),
            RowList(profile_.amounts.size())};
  }

 private:
  const profile::Profile& profile_;
  base::GroupedRows samples_, awaits_, amounts_;  // by process
};

}  // namespace pyrometer::analyze
