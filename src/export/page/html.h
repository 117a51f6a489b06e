// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string_view>

namespace pyrometer::export_ {

// One profile of a page that stands for itself.
struct PagePiece {
  std::string_view id;                       // "data", or "base" that it is compared with
  std::function<void(std::ostream&)> write;  // its bytes: docs/format/page-data.md
};

// `page`, the viewer as it was built, with the pieces in it: one file that needs
// nothing else. False: `page` has no place for them. Errors of writing show in the
// state of `out`.
bool WriteHtml(std::string_view page, std::span<const PagePiece> pieces, std::ostream& out);

}  // namespace pyrometer::export_
