// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze::testing {

// A made-up run of a small data pipeline with everything that a report can
// show: library code, native code, waits, threads, a child process, losses, memory.
ProfileBuilder ExampleProfile();

// The same run recorded with less.
ProfileBuilder WithoutMemory(ProfileBuilder profile);
ProfileBuilder WithoutTime(ProfileBuilder profile);

}  // namespace pyrometer::analyze::testing
