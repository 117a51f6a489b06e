// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::os {

// Lets this process have as many files open as its user may: a look at a thread keeps two
// of them. What it starts from now on inherits that.
void AllowManyOpenFiles();

}  // namespace pyrometer::os
