// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "profile/profile.h"

namespace pyrometer::profile {

// CPython copies lists, tuples, dicts and sets element by element, so no memcpy shows it; but what
// it copies into is allocated by functions that do nothing else. Those allocations are copies as
// well: each change of memory of such a stack gets a twin of the kind kCopied, once.
//
// Where a function also does other things (list(x) before 3.13 grows from any iterator by the
// function that copies a list), nothing is made up.
//
// REQUIRES: the invariants of `profile`; they hold afterwards.
void AddElementCopies(Profile& profile);

// Whether an allocation by these native functions, innermost first, is what a copy is made into.
bool IsElementCopy(std::span<const std::string_view> functions);

// The same of stacks. Keeps a reference to the profile. Thread-safety: none; one owner.
class ElementCopies {
 public:
  explicit ElementCopies(const Profile& profile) : profile_(profile) {}
  bool Contains(format::StackId stack);

 private:
  const Profile& profile_;
  std::unordered_map<uint32_t, bool> known_;  // by stack
};

}  // namespace pyrometer::profile
