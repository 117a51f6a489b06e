// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/core/page_reader.h"
#include "capture/core/probe.h"
#include "capture/probes/tasks/loop_watch.h"
#include "capture/stacks/code_cache.h"
#include "capture/stacks/stack_table.h"
#include "cpython/asyncio_tasks.h"
#include "cpython/await_walk.h"
#include "format/capture_writer.h"
#include "os/remote_memory.h"

namespace pyrometer::capture {

// What the asyncio tasks of one process await, from outside: it reads the
// interpreter's own lists of tasks and stops nothing. A task is believed only
// where a second poll finds it at the same place (cpython/task_confirm.h).
//
// Each poll stands for half of the time to the polls before and behind it. Polls
// come every 10 ms as long as that costs little; of very many tasks only a
// random share is polled, and each then stands for several.
//
// Thread-safety: one owner.
class TaskSampler {
 public:
  // Tells `loops`, which must outlive this, of the event loops of tasks.
  TaskSampler(const ProbeContext& context, LoopWatch& loops);

  // Polls the tasks if that is due. `now_ns` since the start of the run.
  void Poll(uint64_t now_ns);
  // The task that runs the coroutine at `coroutine`, whose code is `code`, seen
  // by a sample at `time_ns`. Empty while the program does not use asyncio.
  std::optional<format::TaskId> TaskOf(uint64_t coroutine, format::CodeId code, uint64_t time_ns);
  // Writes what is open, so that a capture cut off now has it.
  void Flush();
  // Forgets time that passed while recording was paused.
  void Resync() { polled_ns_ = 0; }
  // The program is gone: writes the rest.
  void End(uint64_t now_ns);

  uint64_t moving() const { return moving_; }

 private:
  // A task that lives, found by its coroutine.
  struct Known {
    format::TaskId id;
    format::CodeId code;
    uint64_t address = 0;  // of the task; 0: seen by samples alone
    uint64_t name_object = 0;
    format::TaskName name;
    uint64_t seen_ns = 0;
    uint64_t placed_ns = 0;  // the last poll that has found it waiting
    // Where it stood then, and for how long, not written yet.
    uint64_t fingerprint = 0;
    format::StackId stack;
    format::AwaitState state = format::AwaitState::kSuspended;
    uint64_t share = 1;  // how many tasks it stood for
    uint64_t open_ns = 0;
    uint64_t open_end_ns = 0;  // up to when
    uint32_t open_count = 0;
  };
  // A task that a poll has found suspended, to be confirmed.
  struct Found {
    cpython::Task task;
    cpython::AwaitChain chain;
    format::CodeId code;
    format::StackId stack;
  };

  // Whether the last poll has found the task waiting.
  bool Waited(const Known& known) const {
    return known.placed_ns != 0 && known.placed_ns == polled_ns_;
  }
  bool FindRegistries(uint64_t now_ns);
  // Reads the tasks and where they stand, into found_.
  void ReadAll(uint64_t now_ns);
  std::optional<Found> Describe(const cpython::Task& task);
  // Charges half of the time since the last poll to where it found the tasks.
  void ChargeBefore(uint64_t half_ns);
  static void Charge(Known& known, uint64_t ns, uint64_t end_ns);
  void Place(const Found& found, uint64_t now_ns, uint64_t half_ns);
  Known& Meet(const cpython::Task& task, format::CodeId code, uint64_t now_ns);
  Known& Add(uint64_t coroutine, format::CodeId code, uint64_t now_ns);
  format::TaskName ReadName(const cpython::Task& task);
  // Where it was made; empty where the program does not remember.
  format::StackId ReadOrigin(const cpython::Task& task);
  void Close(Known& known);
  void EndTask(Known& known);
  // Ends the tasks that this poll should have met, and has not.
  void DropGone(uint64_t now_ns);
  void AdaptShare();

  format::ProcessId process_;
  uint64_t runtime_;
  const cpython::Layout& layout_;
  CodeCache& codes_;
  StackTable& stacks_;
  LoopWatch& loops_;
  format::CaptureWriter& writer_;
  os::RemoteMemory memory_;
  PageReader reader_;
  PageReader::Pages pages_;  // that the last poll has needed
  cpython::AsyncioHandles handles_;
  bool has_registries_ = false;
  cpython::TaskShare share_;
  size_t all_tasks_ = 0;  // as of the last poll, also those not in the share
  std::vector<cpython::Task> tasks_;
  std::vector<cpython::PythonFrame> frames_;
  std::vector<Found> found_;
  std::unordered_map<uint64_t, Known> known_;  // by coroutine
  uint64_t polled_ns_ = 0;                     // 0: time before the next poll is not known
  uint64_t next_ns_ = 0;
  uint64_t moving_ = 0;
};

}  // namespace pyrometer::capture
