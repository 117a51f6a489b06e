// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/scoped_fd.h"

namespace pyrometer::os {

// Which pages of a process take memory: those that were written, whether they are in RAM or
// swapped out. A mapping that nobody has touched takes none, nor do pages that were only read
// before the first write (where the kernel tells these apart: Linux 6.7).
//
// Thread-safety: one owner.
class PageMap {
 public:
  explicit PageMap(pid_t pid);

  // Bytes of the range in such pages. Nothing when the process is gone, or may not be looked at.
  std::optional<uint64_t> TakenBytes(uint64_t address, uint64_t bytes) const;

 private:
  enum class Answer : uint8_t { kKnown, kGone, kNotOffered };
  Answer Scan(uint64_t begin, uint64_t end, uint64_t* taken) const;
  Answer ReadEntries(uint64_t begin, uint64_t end, uint64_t* taken) const;

  base::ScopedFd file_;
  mutable bool scans_ = true;
};

}  // namespace pyrometer::os
