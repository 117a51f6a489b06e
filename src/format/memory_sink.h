// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/sink.h"

namespace pyrometer::format {

// Keeps a capture in memory, for tests and for views without a file.
// Thread-safety: none; one owner.
class MemorySink : public Sink {
 public:
  base::Status Append(std::span<const uint8_t> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return {};
  }

  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace pyrometer::format
