// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/code/scope.h"
#include "analyze/diff/code_listing.h"
#include "export/tables/resolved_frames.h"
#include "export/tables/text_table.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// The code of a profile, in the numbers that its functions and frames have in its page data.
// Refers to `profile` and `strings`. Thread-safety: immutable after construction.
class PageCode {
 public:
  // `frames` have their sources.
  PageCode(const profile::Profile& profile, const ResolvedFrames& frames, const TextTable& strings);
  PageCode(const PageCode&) = delete;
  PageCode& operator=(const PageCode&) = delete;

  const ResolvedFrames& frames() const { return frames_; }
  const TextTable& strings() const { return strings_; }
  // Its lines are those of frames(), one for each.
  const analyze::CodeListing& listing() const { return listing_; }

 private:
  const ResolvedFrames& frames_;
  const TextTable& strings_;
  std::vector<std::vector<std::string>> sources_;  // by file
  analyze::CodeListing listing_;
};

// For each function and frame of a base the number plus 1 that it has in the page data of the
// profile that is compared with it; 0: it is not there.
struct PageMatch {
  std::vector<uint32_t> functions{};
  std::vector<uint32_t> frames{};
};
PageMatch MatchPages(const PageCode& base, const PageCode& now);
// The same, of a profile whose tables nobody has made.
PageMatch MatchPages(const PageCode& base, const profile::Profile& now,
                     const analyze::Scope& scope);

}  // namespace pyrometer::export_
