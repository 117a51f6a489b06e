// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/core/cpu_budget.h"
#include "capture/core/thread_capture.h"
#include "capture/probes/memory/level_reader.h"
#include "capture/probes/memory/memory_ledger.h"
#include "capture/probes/memory/object_types.h"
#include "cpython/layout.h"
#include "format/capture_writer.h"
#include "os/page_map.h"
#include "transport/records.h"
#include "transport/ring.h"

namespace pyrometer::capture {

// The memory of one process: follows its samples, and writes what has changed
// window by window, the peak and what is live at the end. Windows grow with the
// age of the process, so that a long run is told in as many as a short one, until
// each is ten seconds long.
//
// What comes in is held back for a moment, until the next check: then the pages of large blocks
// that are still there tell how much of them is taken.
//
// The program has ended when the interpreter frees what is left: what was live
// then has survived, and what comes behind does not count.
//
// Times are since the start of the run. Thread-safety: one owner.
class MemoryCapture {
 public:
  // `levels` are the agent's own and must outlive this, as must the rest.
  MemoryCapture(pid_t pid, format::ProcessId process, uint64_t start_ns,
                const cpython::Layout& layout, const transport::MemoryLevels& levels,
                format::CaptureWriter& writer);

  // False: the record makes no sense.
  bool OnRequest(const MemoryRequest& request);
  bool OnFree(const transport::MemoryFree& free, uint64_t time_ns);
  // To be called often, when all records up to now have been taken.
  void Check(uint64_t now_ns);
  // Makes a whole of what is known so far.
  void Checkpoint(uint64_t now_ns);
  // The same, and there will be no more.
  void End(uint64_t now_ns);

  // The most that was ever resident, by the kernel; the last moments of a process that was killed
  // may be missing.
  uint64_t peak_resident_bytes() const { return levels_.peak_resident_bytes(); }
  uint64_t refused() const { return ledger_.refused(); }
  uint64_t unmatched() const { return ledger_.unmatched(); }

 private:
  struct Event {
    enum class What : uint8_t { kAllocated, kFreed, kDiscarded } what;
    MemoryRequest request;  // of the others: kind, address, bytes, time
  };

  void Hold(const Event& event);
  // Lets the ledger know what was held back, up to `now_ns`. `pages`: of the process may be checked
  // at; at its end they go away.
  enum class Pages : uint8_t { kThere, kNotNow, kGoing };
  void Replay(uint64_t now_ns, Pages pages = Pages::kThere);
  // Finds out what large blocks that stay have taken so far.
  void FindTaken(Pages pages);
  // What the agent has told of the block at `address` at the program's end.
  std::optional<uint64_t> TakenAtEnd(uint64_t address) const;
  // The same for those that the ledger knows and that were growing: before what happened meanwhile,
  // so that they are there when others go.
  void CheckGrowing(Pages pages);
  // The same for the others, if that is due, or the program has given pages back.
  void CheckPages(uint64_t now_ns, bool at_once);
  // The program's last line has run, at `time_ns`.
  void Close(uint64_t time_ns);
  // Ends the window.
  void Cut(uint64_t time_ns, bool with_pss);
  void WriteLevel(uint64_t time_ns, bool with_pss);
  void WritePeak(uint64_t now_ns);

  format::ProcessId process_;
  uint64_t start_ns_;
  const transport::MemoryLevels& agent_levels_;
  format::CaptureWriter& writer_;
  MemoryLedger ledger_;
  ObjectTypes types_;
  LevelReader levels_;
  os::PageMap pages_;
  std::vector<Event> held_back_;
  CpuBudget pages_budget_{10'000'000, 100'000'000};      // of questions that the program causes
  uint64_t pages_due_ns_ = 0;                            // of the others
  uint64_t resident_bytes_ = 0;                          // at the last check
  std::unordered_map<uint64_t, uint64_t> taken_at_end_;  // by address
  uint64_t replayed_ns_ = 0;
  uint64_t window_ = 0;  // number of the current one
  uint64_t cut_ns_;      // end of the one before
  bool ended_ = false;
  uint64_t written_peak_bytes_ = 0;
  uint64_t written_peak_number_ = 0;
  uint64_t written_peak_ns_ = 0;  // when that was written
};

}  // namespace pyrometer::capture
