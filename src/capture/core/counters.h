// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "format/capture_writer.h"
#include "metric/counter.h"

namespace pyrometer::capture {

// Writes the counters of one process.
//
// Thread-safety: one owner.
class Counters {
 public:
  Counters(format::CaptureWriter& writer, format::ProcessId process)
      : writer_(writer), process_(process) {}

  // Of a loss, a cost, or a fact that says how often: 0 is not worth a word.
  void Count(metric::Counter counter, uint64_t value) {
    if (value != 0) Tell(counter, value);
  }
  // Whatever the value.
  void Tell(metric::Counter counter, uint64_t value, std::string_view text = "") {
    const metric::CounterKey key = metric::KeyOf(counter, text);
    writer_.AddCounter({process_, key.kind, metric::StoredName(key), value});
  }

 private:
  format::CaptureWriter& writer_;
  format::ProcessId process_;
};

}  // namespace pyrometer::capture
