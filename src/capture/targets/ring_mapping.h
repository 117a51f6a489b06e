// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>

#include "transport/ring_reader.h"

namespace pyrometer::capture {

// A process's ring, mapped here. Stays readable after the process has died, and also when a
// process of another user cuts the file short.
class RingMapping {
 public:
  // Empty while the process is still making it, or when it is none of ours.
  static std::optional<RingMapping> Open(const std::string& path);
  RingMapping(RingMapping&& other) noexcept;
  RingMapping& operator=(RingMapping&&) = delete;
  ~RingMapping();

  // Whose process has made it.
  uid_t owner() const { return owner_; }
  transport::RingHeader& header() const { return *header_; }
  transport::RingReader& reader() { return reader_; }

 private:
  RingMapping(void* map, size_t bytes, uint64_t ring_bytes, uid_t owner);

  void* map_;
  size_t bytes_;
  uid_t owner_;
  transport::RingHeader* header_;
  transport::RingReader reader_;
};

}  // namespace pyrometer::capture
