// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "capture/core/page_reader.h"
#include "capture/core/target.h"
#include "capture/core/thread_capture.h"
#include "cpython/event_loop.h"
#include "cpython/object_layout.h"
#include "format/capture_writer.h"
#include "os/remote_memory.h"
#include "os/thread_status.h"

namespace pyrometer::capture {

// Finds callbacks (mostly steps of tasks) that keep an asyncio event loop from
// running others. From outside: a loop counts what it takes out of its queue of
// ready callbacks. While it takes nothing out, and its thread does not wait for
// events either, one callback holds it.
//
// Thread-safety: one owner.
class LoopWatch {
 public:
  // Where a thread is blocked, as far as is known.
  using FindWait = std::function<std::optional<format::StackId>(const ThreadCapture&)>;

  LoopWatch(const Target& target, FindWait find_wait, format::CaptureWriter& writer);

  // There is a loop at `loop`.
  void Add(uint64_t loop);
  void Poll(uint64_t now_ns);
  // A sample has found the thread at `stack`.
  void OnSample(format::ThreadId thread, format::StackId stack);
  // Recording was paused, or has ended: nothing that is open is known to go on.
  void Close();

 private:
  struct Loop {
    uint64_t queue = 0;  // address
    cpython::ReadyQueue ready;
    uint64_t polled_ns = 0;
    std::optional<format::ThreadId> thread;  // that runs it
    std::unique_ptr<os::ThreadStatus> status;
    // The callback that holds it, if one does.
    uint64_t held_since_ns = 0;  // 0: none
    uint64_t held_until_ns = 0;
    std::map<format::StackId, uint32_t> stacks;
  };

  // False: it is gone.
  bool PollLoop(uint64_t address, Loop& loop, uint64_t now_ns);
  // Whether the thread of the loop is at work, or blocked in something else
  // than waiting for events.
  bool IsBusy(uint64_t address, Loop& loop);
  void Release(Loop& loop, uint64_t end_ns);

  const Target& target_;
  const cpython::Layout& layout_;
  FindWait find_wait_;
  format::CaptureWriter& writer_;
  os::RemoteMemory memory_;
  PageReader reader_;
  const cpython::ObjectLayout* objects_;      // nullptr: not known, as tasks are then
  std::unordered_map<uint64_t, Loop> loops_;  // by address
};

}  // namespace pyrometer::capture
