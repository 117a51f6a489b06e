// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "format/records.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// Which libraries a stack is in: packages and native libraries that tell what a thread
// works on. The interpreter, libc, and what any thread has under it say nothing and
// are left out.
//
// Keeps a reference to the profile, whose stacks may grow meanwhile.
// Thread-safety: none; one owner.
class StackLibraries {
 public:
  explicit StackLibraries(const profile::Profile& profile);

  // Whether both are in one library, be it in Python or in native code.
  bool Share(format::StackId a, format::StackId b);
  // The same where both run native code of it.
  bool ShareNative(format::StackId a, format::StackId b);

 private:
  // Sorted numbers of libraries.
  struct Libraries {
    std::vector<uint32_t> all;
    std::vector<uint32_t> native;
  };
  const Libraries& Of(format::StackId stack);

  const profile::Profile& profile_;
  std::vector<uint32_t> of_frame_;  // 0: says nothing
  std::unordered_map<uint32_t, Libraries> of_stack_;
};

}  // namespace pyrometer::analyze
