// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "analyze/code/scope.h"
#include "analyze/report/report.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// What the viewer knows of a profile, as docs/format/page-data.md describes it.
// `report` is that of `profile`, made with `scope`. Of a base, `now` is the profile that is
// compared with it in the same page, and by the same scope. Errors show in the state of `out`.
void WritePageData(const profile::Profile& profile, const analyze::Report& report,
                   const analyze::Scope& scope, std::ostream& out,
                   const profile::Profile* now = nullptr);

// Who gets the data piece by piece, in order, while those that follow are made.
using TakePiece = std::function<void(std::string piece)>;

// The same with an outline for a report, whose `meta` comes by WritePageReport.
void WritePageColumns(const profile::Profile& profile, const analyze::Report& outline,
                      const analyze::Scope& scope, const TakePiece& take,
                      const profile::Profile* now = nullptr);

// The same in two parts, each data of its own: `rest` gets what a first screen does not need.
struct PageParts {
  TakePiece first;
  std::function<void()> first_is_complete;
  TakePiece rest;
};
void WritePageParts(const profile::Profile& profile, const analyze::Report& outline,
                    const analyze::Scope& scope, const PageParts& parts);

// The `meta` alone. `report` is whole.
void WritePageReport(const profile::Profile& profile, const analyze::Report& report,
                     std::ostream& out);

}  // namespace pyrometer::export_
