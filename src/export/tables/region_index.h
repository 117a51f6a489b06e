// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace pyrometer::export_ {

// Which named region a thread was in at a time: the innermost, where they nest.
//
// `profile` must outlive it. Thread-safety: immutable after construction.
class RegionIndex {
 public:
  explicit RegionIndex(const profile::Profile& profile);

  // An index in the profile's regions.
  std::optional<uint32_t> At(format::ThreadId thread, uint64_t time_ns) const;

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  struct Span {
    uint64_t begin_ns;
    uint64_t end_ns;
    uint32_t region;
    uint32_t outer;  // the one around it, of the same thread; kNone: none
  };

  std::vector<std::vector<Span>> by_thread_;  // by begin, outer ones first
};

}  // namespace pyrometer::export_
