// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/diff/diff.h"
#include "analyze/diff/diff_rows.h"
#include "analyze/stats/speed.h"

namespace pyrometer::analyze {

// The speed of the machine in each run, by the CPU time of functions that have not
// changed.
//
// Refers to the rows. Thread-safety: none; one owner.
class RunSpeeds {
 public:
  RunSpeeds(const DiffRows& rows, double relative_noise);

  // By run, as all functions tell but this one.
  const std::vector<Speed::Estimate>& Without(uint32_t function);
  // As all of them tell.
  std::vector<Speed::Estimate> All() const { return Estimates(std::nullopt); }
  // The function has changed.
  void Leave(uint32_t function);
  SpeedRatio Ratio() const;

 private:
  std::vector<Speed::Estimate> Estimates(std::optional<size_t> except) const;

  const DiffRows& rows_;
  Speed speed_;
  std::vector<std::optional<std::vector<Speed::Estimate>>> without_;  // by function
};

}  // namespace pyrometer::analyze
