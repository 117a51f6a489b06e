// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "profile/profile.h"

namespace pyrometer::profile::testing {

// Says which of Profile's invariants is broken; empty if none is.
std::string BrokenInvariant(const Profile& profile);

}  // namespace pyrometer::profile::testing
