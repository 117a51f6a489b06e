// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "format/record_visitor.h"

namespace pyrometer::format {

enum class ReadOutcome : uint8_t {
  kRead,          // a capture: the report says how much of it
  kEmpty,         // no bytes at all
  kNotACapture,   // neither its beginning nor anything inside looks like one
  kNewerVersion,  // made by a later pyrometer; nothing was read
};

// What became of every byte and every record of a file.
// Invariant: bytes_read + bytes_lost = size of the file, if outcome is kRead.
struct ReadReport {
  ReadOutcome outcome = ReadOutcome::kRead;
  uint16_t version = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_lost = 0;       // damaged, cut off, or beyond the limits
  uint64_t blocks_read = 0;      // sound blocks of types that are known
  uint64_t blocks_skipped = 0;   // sound blocks of types that are not
  uint64_t records_invalid = 0;  // in sound blocks: malformed or rejected
  bool orderly_end = false;

  friend bool operator==(const ReadReport&, const ReadReport&) = default;
};

// How much memory the records of one file may take. Real captures stay below
// by orders of magnitude; a few bytes made to unpack without end do not.
struct ReadLimits {
  uint64_t memory_bytes = uint64_t{2} << 30;
  uint64_t memory_bytes_per_file_byte = 256;
  // Files from this size on are decoded by a second thread, ahead of the visitor.
  uint64_t read_ahead_from_bytes = uint64_t{1} << 20;
};

// Decodes a capture in whatever state it is: cut off, damaged in the middle,
// still being written, or hostile. Stateless; any number may run at once.
class CaptureReader {
 public:
  // Now and then, and in the thread of the caller, `progress` is told how many bytes are done.
  static ReadReport Read(std::span<const uint8_t> file, RecordVisitor& visitor,
                         const ReadLimits& limits = {},
                         const std::function<void(size_t done)>& progress = {});
};

}  // namespace pyrometer::format
