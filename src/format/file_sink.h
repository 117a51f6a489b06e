// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "format/sink.h"

namespace pyrometer::format {

// Appends a capture to a file that the caller has opened for writing; which
// file, and whether an older one may be replaced, is the caller's decision.
//
// Every block goes to the kernel at once, so it outlives a killed process. A
// failed append may leave part of a block behind; readers treat that as a
// capture that was cut off.
//
// Owns the descriptor. Thread-safety: none; one owner.
class FileSink : public Sink {
 public:
  explicit FileSink(base::ScopedFd fd) : fd_(std::move(fd)) {}

  base::Status Append(std::span<const uint8_t> bytes) override;

 private:
  base::ScopedFd fd_;
};

}  // namespace pyrometer::format
