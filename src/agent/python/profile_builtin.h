// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Sees to it that the program finds `profile` among its builtins: for programs
// that use @profile without importing it. docs/design/0004-profile-builtin.md
// Context: start-up, before main.
void AddProfileBuiltin();

}  // namespace pyrometer::agent
