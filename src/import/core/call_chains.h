// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// The stacks that a call graph proves. A call graph says who called a function, but not who
// had called the caller just then. Only where a function has one caller is that certain; so
// a function stands below its only caller, which stands below its own, and so on. Nothing
// above a function with several callers is known.
//
// Thread-safety: none; one owner.
class CallChains {
 public:
  explicit CallChains(ProfileMaker& maker) : maker_(maker) {}

  // `function` is called by `caller` only, from `frame`. Functions are small numbers.
  void SetOnlyCaller(uint32_t function, uint32_t caller, format::FrameId frame);
  // What is certain about where `function` was called from.
  format::StackId CallersOf(uint32_t function);

  // Tells the reader of the profile what its totals mean.
  void Note() const;

 private:
  struct Caller {
    uint32_t function = 0;
    format::FrameId frame{};
    bool known = false;
  };

  ProfileMaker& maker_;
  std::vector<Caller> callers_;                         // by function
  std::vector<std::optional<format::StackId>> stacks_;  // by function
  std::vector<uint32_t> path_;                          // kept for its memory
};

}  // namespace pyrometer::import_
