// SPDX-License-Identifier: Apache-2.0
// Any bytes at all: the reader must account for each of them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "format/capture_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using pyrometer::format::CaptureReader;
  using pyrometer::format::ReadOutcome;
  constexpr pyrometer::format::ReadLimits kLimits = {.memory_bytes = uint64_t{64} << 20};
  pyrometer::format::RecordVisitor visitor;
  const auto report = CaptureReader::Read({data, size}, visitor, kLimits);
  const bool accounted = report.bytes_read + report.bytes_lost == size;
  if (report.outcome == ReadOutcome::kRead && !accounted) std::abort();
  return 0;
}
