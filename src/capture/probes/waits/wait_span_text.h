// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "capture/probes/waits/wait_account.h"

// Waits as tests write them: with a number for the stack, and times in milliseconds.
namespace pyrometer::capture {

inline constexpr uint64_t kMs = 1'000'000;

inline Wait At(uint32_t stack) { return {format::StackId(stack), format::Activity::kSleep, {}}; }

// "stack begin-end"
inline std::string Text(const WaitSpan& span) {
  return std::to_string(span.wait.stack.value) + " " +
         std::to_string((span.end_ns - span.ns) / kMs) + "-" + std::to_string(span.end_ns / kMs);
}

}  // namespace pyrometer::capture
