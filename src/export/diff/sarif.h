// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "analyze/diff/diff.h"
#include "analyze/diff/limit.h"

namespace pyrometer::export_ {

// What has grown by more than chance, and limits that are exceeded, as SARIF 2.1.0 for
// systems that show findings of checkers. `version` is that of pyrometer.
void WriteSarif(const analyze::Diff& diff, std::span<const analyze::LimitResult> limits,
                std::string_view version, std::ostream& out);

}  // namespace pyrometer::export_
