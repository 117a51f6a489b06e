// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "profile/profile.h"

namespace pyrometer::export_ {

// One line for each distinct stack that has samples, most samples first:
//
//   count<TAB>frame;frame;...
//
// Root first. `count` is the number of observations over all processes,
// threads and activities. A Python frame is `qualname (file:line)`, a native
// one `function [module]` (0x<address> for one without a symbol; functions
// inlined at the address follow as frames of their own), a special one its
// name. Stacks that read the same are one. A sample without frames has an
// empty list.
//
// Names are untrusted: in them a control character or `;` becomes \xNN and a
// backslash \\, so that a line is always one stack.
void WriteStacks(const profile::Profile& profile, std::ostream& out);

}  // namespace pyrometer::export_
