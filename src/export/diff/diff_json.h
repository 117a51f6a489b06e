// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <span>

#include "analyze/diff/diff.h"
#include "analyze/diff/limit.h"

namespace pyrometer::export_ {

// The comparison as JSON, as docs/format/diff-json.md describes it.
void WriteDiffJson(const analyze::Diff& diff, std::span<const analyze::LimitResult> limits,
                   std::ostream& out);

}  // namespace pyrometer::export_
