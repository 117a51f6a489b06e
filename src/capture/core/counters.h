// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "format/capture_writer.h"

namespace pyrometer::capture {

// Writes the counters of one process; those that are 0 are not worth a word.
//
// Thread-safety: one owner.
class Counters {
 public:
  Counters(format::CaptureWriter& writer, format::ProcessId process)
      : writer_(writer), process_(process) {}

  void Loss(const char* name, uint64_t value) { Write(format::CounterKind::kLoss, name, value); }
  void Cost(const char* name, uint64_t value) { Write(format::CounterKind::kCost, name, value); }
  void Fact(const std::string& name, uint64_t value) {
    Write(format::CounterKind::kFact, name, value);
  }

 private:
  void Write(format::CounterKind kind, const std::string& name, uint64_t value) {
    if (value != 0) writer_.AddCounter({process_, kind, name, value});
  }

  format::CaptureWriter& writer_;
  format::ProcessId process_;
};

}  // namespace pyrometer::capture
