// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <span>

#include "analyze/diff/diff.h"
#include "analyze/diff/limit.h"

namespace pyrometer::export_ {

// Commands for a step of GitHub Actions: an error for each limit that is exceeded, a
// warning for each function or line that has grown by more than chance. GitHub shows
// ten of each.
void WriteGithubAnnotations(const analyze::Diff& diff, std::span<const analyze::LimitResult> limits,
                            std::ostream& out);

}  // namespace pyrometer::export_
