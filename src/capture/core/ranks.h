// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pyrometer::capture {

// The variables with which launchers of parallel programs (torchrun, Slurm,
// Open MPI) number the processes, and their values in `environment`
// ("NAME=value" strings).
std::vector<std::pair<std::string, uint64_t>> FindRanks(
    const std::vector<std::string>& environment);

}  // namespace pyrometer::capture
