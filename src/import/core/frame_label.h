// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// What the label of a frame says, in one of the ways in which tools write it:
//   name (file:line)    py-spy, pyrometer
//   name (file)
//   file:name:line      austin, CPython's own sampler
//   name_[k]            perf: the kernel
//   name [module]       native code
// Anything else is a name. The texts are parts of `label`.
FrameText ParseFrameLabel(std::string_view label);

}  // namespace pyrometer::import_
