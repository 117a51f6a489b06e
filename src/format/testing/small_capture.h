// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "format/capture_writer.h"
#include "format/records.h"

namespace pyrometer::format::testing {

// The run that WriteSmallRun belongs to.
RunInfo SmallRun();

// Adds at least one record of every type, with odd values among them: extreme
// numbers, bytes that are not text, a weight of zero, two flushes. Finishes
// the capture.
void WriteSmallRun(CaptureWriter& writer);

// SmallRun and its records as the bytes of a file.
std::vector<uint8_t> SmallCapture();

}  // namespace pyrometer::format::testing
