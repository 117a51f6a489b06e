// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

namespace pyrometer::format {

// Where a capture goes: a file, memory, later a socket.
class Sink {
 public:
  virtual ~Sink() = default;
  // Appends all of `bytes`, or fails. Called with whole blocks only.
  virtual base::Status Append(std::span<const uint8_t> bytes) = 0;
};

}  // namespace pyrometer::format
