// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/stacks/jit_list.h"
#include "capture/stacks/perf_map.h"
#include "capture/stacks/stack_table.h"
#include "os/executable_maps.h"

namespace pyrometer::capture {

// Frames of one process in code that was generated at run time: named where the
// JIT tells (perf map file, GDB's JIT interface), else shown as JIT code.
//
// Thread-safety: one owner.
class JitCode {
 public:
  // `start_unix_ns`: when the process began, by the wall clock.
  JitCode(pid_t pid, uint64_t start_unix_ns, StackTable& stacks);

  // The frame of code at `pc`, which is in no module. Nothing for the
  // interpreter's own trampolines (python -X perf), which are part of a call of
  // Python code that has its frame already.
  std::optional<format::FrameId> FrameAt(uint64_t pc, uint64_t now_ns);
  // Whether `pc` is in memory that holds generated code.
  bool Contains(uint64_t pc, uint64_t now_ns);
  // Asks for the names of new frames while the process can still be read.
  void Check(uint64_t now_ns);

 private:
  struct Known {
    format::FrameId frame;
    std::string perf_name;  // that it was named by; empty: none
  };

  bool Covered(uint64_t pc) const;
  void ReadMaps(uint64_t now_ns);
  void NameFrames();

  pid_t pid_;
  StackTable& stacks_;
  PerfMap perf_;
  JitList list_;
  std::vector<os::ExecutableMap> maps_;
  uint64_t maps_due_ns_ = 0;
  uint64_t check_due_ns_ = 0;
  std::unordered_map<uint64_t, Known> known_;  // by pc
  // Frames whose names the list may have, and how often it was asked for them.
  std::unordered_map<uint64_t, int> wanted_;
};

}  // namespace pyrometer::capture
