// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "format/records.h"
#include "os/process_memory.h"

namespace pyrometer::capture {

// Asks the kernel how much memory a process has.
// Thread-safety: one owner.
class LevelReader {
 public:
  explicit LevelReader(pid_t pid) : pid_(pid), resident_(pid) {}

  // 0 when the process is gone.
  uint64_t ResidentBytes() const { return resident_.ReadBytes(); }
  // Fills in rss_bytes, and pss_bytes when that is due or `with_pss`. The second
  // makes the process wait where it maps memory: the longer an answer takes, the
  // less often it is asked for. False: the process is gone.
  bool Read(uint64_t now_ns, bool with_pss, format::MemoryLevel* level);
  // The most that was ever resident, when Read has last asked for it: it does so now and then.
  uint64_t peak_resident_bytes() const { return peak_resident_bytes_; }

 private:
  pid_t pid_;
  os::ResidentMemory resident_;
  uint64_t pss_period_ns_ = 5'000'000'000;
  uint64_t pss_due_ns_ = 0;
  uint64_t peak_resident_bytes_ = 0;
  uint64_t peak_due_ns_ = 0;
};

}  // namespace pyrometer::capture
