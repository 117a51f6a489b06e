// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/core/page_reader.h"
#include "capture/core/probe.h"
#include "capture/core/thread_capture.h"
#include "capture/probes/waits/short_threads.h"
#include "capture/probes/waits/thread_state_map.h"
#include "capture/probes/waits/wait_account.h"
#include "capture/stacks/code_cache.h"
#include "cpython/frame_walk.h"
#include "cpython/gil.h"
#include "cpython/threads.h"
#include "format/capture_writer.h"
#include "os/remote_memory.h"
#include "os/thread_status.h"

namespace pyrometer::capture {

// Off-CPU time of the threads of one process, from outside: it sends nothing
// to a thread and stops none. A thread that the kernel reports as blocked,
// whose scheduler counters are the same before and after, and whose stack reads
// the same twice, has not moved. (The counters alone do not prove it: on Linux
// 6.18, one in a few thousand threads that woke up meanwhile had the same ones.)
//
// Each poll accounts for all the time since the last: on a CPU (the agent
// samples that), waiting for one, or blocked (wait_account.h).
//
// Thread-safety: one owner.
class WaitSampler final : public Probe {
 public:
  explicit WaitSampler(const ProbeContext& context);

  std::vector<transport::RecordType> Takes() const override;
  void ThreadStarted(const ThreadCapture& thread) override;
  void ThreadEnded(const ThreadCapture& thread, ThreadExit& exit) override;
  // A sample has found the thread on a CPU.
  void OnSample(const ThreadCapture& thread, const transport::SampleRecord& record,
                format::Sample& sample) override;
  // Polls new threads: one is met within a period of its start, or maybe never.
  void Meet(uint64_t now_ns) override;
  // Polls the threads that are due, as many as the budget allows; the others come first
  // next time. What they have run is what the budget gets.
  bool Poll(uint64_t now_ns, PollBudget& budget) override;
  void Pause(uint64_t now_ns) override;
  // Forgets time that passed while recording was paused.
  void Resume(uint64_t now_ns) override;
  void Flush() override;
  void End(uint64_t now_ns, format::ProcessEnd& end) override;
  void Report(Counters& counters) const override;

  // Where the thread was blocked at the last poll; empty if it was not.
  std::optional<format::StackId> StackOf(const ThreadCapture& thread) const;

 private:
  static constexpr uint32_t kManyReads = 8;

  // What was read of a stack: leaf first, `omitted` of a deep one left out.
  struct WaitStack {
    std::vector<cpython::PythonFrame> frames;
    uint32_t count = 0;
    uint32_t omitted = 0;
    bool has_python = false;

    bool operator==(const WaitStack& other) const;
  };

  struct Watched {
    explicit Watched(const ThreadCapture* of) : thread(of), account(of->start_ns) {}

    const ThreadCapture* thread;
    std::unique_ptr<os::ThreadStatus> status;  // null: not opened yet
    os::Schedule schedule;                     // at the last poll
    WaitAccount account;
    uint32_t polls = 0;
    uint64_t next_ns = 0;  // when to poll again
    uint64_t tstate = 0;
    PageReader::Pages pages;  // that the last poll has needed
  };

  // False: nothing can be known of the thread (yet).
  bool Open(Watched& watched);
  void PollThread(Watched& watched, uint64_t now_ns);
  // Empty when the thread is not blocked, or moves.
  std::optional<Wait> FindWait(Watched& watched);
  // The Python stack of a blocked thread, into `frames`; false when it moves.
  bool ReadStack(Watched& watched, uint64_t stack_pointer, WaitStack* frames);
  bool ReadOnce(Watched& watched, uint64_t stack_pointer, WaitStack* frames);
  bool NameStack(const WaitStack& frames, format::StackId* stack);
  // The system forbids it. An interpreter that has only just begun, or is about to end,
  // cannot be read either, but not for long.
  bool unreadable() const { return !ever_read_ && failed_reads_ >= kManyReads; }
  // The thread states of the program, read once for all polls of a tick; none when its
  // memory cannot be read.
  const ThreadStateMap& ThreadStates();
  // The thread that has the GIL for which this one waits.
  std::optional<format::ThreadId> FindGilHolder(const Watched& watched);
  // Where time of the thread counts that no poll has met.
  Wait Unseen(const ThreadCapture& thread);
  // Writes spans_ and empties it.
  void WriteSpans(format::ThreadId thread);
  void Write(format::ThreadId thread, const WaitSpan& span);
  void Write(const std::vector<ShortThreads::Placed>& waits);
  void WriteGilWaits();

  pid_t pid_;
  uint64_t runtime_;
  const cpython::Layout& layout_;
  CodeCache& codes_;
  StackTable& stacks_;
  format::CaptureWriter& writer_;
  os::RemoteMemory memory_;
  PageReader reader_;
  PageReader state_reader_;
  PageReader::Pages new_pages_;  // that the last poll of a new thread has needed
  std::optional<ThreadStateMap> states_;
  std::map<const ThreadCapture*, Watched> threads_;
  std::vector<const ThreadCapture*> fresh_;     // not met yet
  const ThreadCapture* polled_last_ = nullptr;  // when the budget was spent
  ShortThreads short_threads_;
  uint64_t tick_ns_ = 0;    // of the last Poll()
  uint64_t period_ns_ = 0;  // between that and the one before
  WaitSpans spans_;
  WaitStack first_, second_;
  std::map<uint64_t, format::ThreadId> owners_;  // by thread state; emptied when threads end
  // Not written yet, by waiter and holder.
  std::map<std::pair<format::ThreadId, std::optional<format::ThreadId>>, format::GilWait>
      gil_waits_;
  bool paused_ = false;
  uint64_t ran_ns_ = 0;  // CPU time that polls have found the threads to have used since Poll()
  uint64_t torn_stacks_ = 0;
  // Polls that came late, because the budget did not suffice: waits are then known to a longer
  // time.
  uint64_t put_off_ = 0;
  // Time between polls that was so long that the collector must have had no CPU: what began or
  // ended meanwhile is known to no better.
  uint64_t unpolled_ns_ = 0;
  // Threads of which nothing is known, because too many files are open.
  uint64_t unwatched_ = 0;
  bool ever_read_ = false;
  uint32_t failed_reads_ = 0;
};

}  // namespace pyrometer::capture
