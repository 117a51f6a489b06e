// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "transport/ring_reader.h"

namespace pyrometer::capture {

// A process's ring, mapped here. Stays readable after the process has died.
class RingMapping {
 public:
  // Empty while the process is still making it, or when it is none of ours.
  static std::optional<RingMapping> Open(const std::string& path);
  RingMapping(RingMapping&& other) noexcept;
  RingMapping& operator=(RingMapping&&) = delete;
  ~RingMapping();

  transport::RingHeader& header() const { return *header_; }
  transport::RingReader& reader() { return reader_; }

 private:
  RingMapping(void* map, size_t bytes, uint64_t ring_bytes);

  void* map_;
  size_t bytes_;
  transport::RingHeader* header_;
  transport::RingReader reader_;
};

}  // namespace pyrometer::capture
