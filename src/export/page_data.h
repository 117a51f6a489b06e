// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "analyze/report.h"
#include "analyze/scope.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// What the viewer knows of a profile, as docs/format/page-data.md describes it.
// `report` is that of `profile`, made with `scope`; `partial`: it is an outline, and its
// `meta` comes by WritePageReport. Errors show in the state of `out`.
void WritePageData(const profile::Profile& profile, const analyze::Report& report,
                   const analyze::Scope& scope, bool partial, std::ostream& out);

// The `meta` alone. `report` is whole.
void WritePageReport(const profile::Profile& profile, const analyze::Report& report,
                     std::ostream& out);

}  // namespace pyrometer::export_
