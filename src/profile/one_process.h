// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace pyrometer::profile {

// The part of a profile that belongs to the processes with the id `pid`: more
// than one where the system has used it again, none where nobody had it. Keeps
// the tables that processes share. The invariants of Profile hold.
Profile OneProcess(Profile profile, uint64_t pid);

}  // namespace pyrometer::profile
