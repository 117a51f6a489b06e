// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_registry.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include <atomic>

#include "agent/agent.h"
#include "agent/clock.h"
#include "agent/sampler.h"
#include "agent/signals_blocked.h"
#include "agent/task_facts.h"
#include "sigsafe/pages.h"
#include "sigsafe/syscall.h"

extern "C" void* __libc_stack_end;  // NOLINT(bugprone-reserved-identifier): the dynamic linker's

namespace pyrometer::agent {
namespace {

using sigsafe::Arg;
using sigsafe::Syscall;
using transport::RecordType;

constexpr uint64_t kPageBytes = 4096;

thread_local ThreadRecord* t_record = nullptr;

// Records of ended threads, kept for the next ones: a program may start
// thousands of threads. Taken and given with signals blocked, so a spinning
// thread waits for one that runs.
std::atomic_flag g_free_lock = ATOMIC_FLAG_INIT;
ThreadRecord* g_free = nullptr;
// Records that were made for threads older than the recording, and of threads that began while
// those were listed. It only grows; who has no record looks there for its number.
std::atomic<ThreadRecord*> g_older;
std::atomic<bool> g_listing;
pthread_key_t g_key;

class FreeListLock {
 public:
  explicit FreeListLock(const SignalsBlocked&) {
    while (g_free_lock.test_and_set(std::memory_order_acquire)) Syscall(SYS_sched_yield);
  }
  ~FreeListLock() { g_free_lock.clear(std::memory_order_release); }
  FreeListLock(const FreeListLock&) = delete;
  FreeListLock& operator=(const FreeListLock&) = delete;
};

ThreadRecord* FreshRecord() {
  return static_cast<ThreadRecord*>(sigsafe::MapPages(sizeof(ThreadRecord)));
}

ThreadRecord* TakeRecord(const SignalsBlocked& blocked) {
  ThreadRecord* record = nullptr;
  {
    const FreeListLock lock(blocked);
    record = g_free;
    if (record != nullptr) g_free = record->next_free;
  }
  if (record != nullptr) {
    record->stacks[0].count = record->stacks[1].count = 0;
    record->torn_run = record->greenlet_misses = 0;
    record->greenlets = {};
    record->seen.Clear();
    record->uses_perf = record->baseline = record->previous_lost = false;
    return record;
  }
  return FreshRecord();
}

void GiveRecord(const SignalsBlocked& blocked, ThreadRecord* record) {
  const FreeListLock lock(blocked);
  record->next_free = g_free;
  g_free = record;
}

// A thread whose sampling begins: the calling one, or one that is older than the recording.
struct Subject {
  uint32_t tid;
  clockid_t clock;   // its CPU time
  uint64_t pthread;  // 0: known to the thread itself only
  bool is_main;
  bool is_new;
};

uint32_t OwnTid() { return static_cast<uint32_t>(Syscall(SYS_gettid)); }

Subject Self(bool is_main) {
  return {OwnTid(), CLOCK_THREAD_CPUTIME_ID, reinterpret_cast<uint64_t>(pthread_self()), is_main,
          !is_main};
}

Subject Other(uint32_t tid) {
  // As the kernel encodes it: the thread's own clock of what the scheduler gave it.
  constexpr uint32_t kThreadSchedClock = 6;
  return {tid, static_cast<clockid_t>(~tid << 3 | kThreadSchedClock), 0, tid == g_agent.process,
          false};
}

// A timer's number, or a negative error. `first_ns`: CPU time until it expires for the first time.
int32_t MakeTimer(const Subject& thread, const TickPace& pace, uint64_t first_ns) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = g_agent.signal_number;
  event.sigev_value.sival_int = static_cast<int>(kTimerMark);
  event._sigev_un._tid = static_cast<pid_t>(thread.tid);
  int32_t timer = -1;
  if (const long error = Syscall(SYS_timer_create, thread.clock, Arg(&event), Arg(&timer));
      error < 0)
    return static_cast<int32_t>(error);
  const itimerspec when{{0, static_cast<long>(pace.TimerNs())}, {0, static_cast<long>(first_ns)}};
  Syscall(SYS_timer_settime, timer, 0, Arg(&when), 0);
  return timer;
}

template <class Record>
void WriteRecord(const SignalsBlocked&, const Record& record, RecordType type) {
  g_agent.ring.Write(record, type);
}

uint64_t Scrambled(uint64_t bits) { return bits * 0x9e3779b97f4a7c15 >> 32; }

void WriteStart(const SignalsBlocked& blocked, const ThreadRecord& record, const Subject& thread) {
  transport::ThreadStart start{};
  start.tid = record.tid;
  start.is_main = thread.is_main ? 1 : 0;
  start.pthread = thread.pthread;
  start.time_ns = record.start_ns;
  start.cpu_ns = record.tick_cpu_ns;
  if (!thread.is_new) start.queued_ns = QueuedNs(thread.tid);
  WriteRecord(blocked, start, RecordType::kThreadStart);
}

// Without a timer for one that cannot be signalled. False: it has ended already.
bool Begin(const SignalsBlocked& blocked, ThreadRecord* record, const Subject& thread,
           bool is_deaf = false) {
  record->tid = thread.tid;
  record->tick_cpu_ns = NowNs(thread.clock);
  record->start_ns = NowNs(CLOCK_MONOTONIC);
  record->time.Set(record->start_ns, record->tick_cpu_ns);
  record->pace = TickPace(g_agent.options, g_agent.tick_ns);
  const uint64_t first_ns =
      record->pace.Begin(record->tick_cpu_ns, Scrambled(record->start_ns ^ record->tid));
  record->timer = g_agent.options.cpu && !is_deaf ? MakeTimer(thread, record->pace, first_ns) : -1;
  if (record->timer == -EINVAL) return false;
  WriteStart(blocked, *record, thread);
  if (g_agent.options.cpu && record->timer < 0) ++g_agent.ring.header()->counters.threads_refused;
  return true;
}

uint64_t PageEnd(const void* place) {
  return (reinterpret_cast<uint64_t>(place) / kPageBytes + 1) * kPageBytes;
}

ThreadRecord* FindOlder(uint32_t tid) {
  ThreadRecord* record = g_older.load(std::memory_order_acquire);
  while (record != nullptr && record->tid != tid) record = record->next_older;
  return record;
}

void AddOlder(const FreeListLock&, ThreadRecord* record) {
  if (record->is_listed) return;
  record->is_listed = true;
  record->next_older = g_older.load(std::memory_order_relaxed);
  g_older.store(record, std::memory_order_release);
}

// The calling thread notices its end by the key's destructor, however it ends.
void NoticeEnd(ThreadRecord* record) { pthread_setspecific(g_key, record); }

// Takes the record that was made for the calling thread, if there is one.
// Signal-safety: safe.
ThreadRecord* Adopt() {
  ThreadRecord* record = FindOlder(OwnTid());
  if (record == nullptr) return nullptr;
  const SignalsBlocked blocked;
  if (t_record != nullptr) return t_record;  // in a handler, meanwhile
  // That thread may have ended, and this one have got its number.
  if (NowNs(CLOCK_THREAD_CPUTIME_ID) < record->tick_cpu_ns) return nullptr;
  const bool is_main = record->tid == g_agent.process;
  // The descriptor of a thread lies at the upper end of its stack.
  if (!is_main) record->stack_end = PageEnd(reinterpret_cast<void*>(pthread_self()));
  // Values of the first keys lie in the descriptor; those of others need the heap. Without, the
  // record stays with the thread when it has ended.
  constexpr pthread_key_t kKeysInDescriptor = 32;
  if (!is_main && g_key < kKeysInDescriptor) NoticeEnd(record);
  record->tick_times = ThreadModeTimes();
  t_record = record;
  Subject self = Self(is_main);
  self.is_new = true;  // when it began is told already, and a handler has little room
  WriteStart(blocked, *record, self);
  return record;
}

// Starts sampling those threads that nobody has started yet; how many there were.
int StartUnknownThreads(const SignalsBlocked& blocked) {
  const uint32_t self = OwnTid();
  int started = 0;
  TaskList list;
  while (const uint32_t tid = list.Next()) {
    timespec cpu;
    const Subject thread = Other(tid);
    if (tid == self || FindOlder(tid) != nullptr ||
        Syscall(SYS_clock_gettime, thread.clock, Arg(&cpu)) < 0)
      continue;
    // Not one that is listed: the thread may look for it while it is being filled in.
    ThreadRecord* record = FreshRecord();
    if (record == nullptr) {
      ++g_agent.ring.header()->counters.threads_refused;
      return 0;
    }
    record->program_blocks_signal = HasBlocked(tid, g_agent.signal_number);
    record->stack_end = thread.is_main ? PageEnd(__libc_stack_end) : 0;
    const FreeListLock lock(blocked);
    if (FindOlder(tid) != nullptr ||
        !Begin(blocked, record, thread, record->program_blocks_signal)) {
      sigsafe::UnmapPages(record, sizeof(ThreadRecord));
      continue;
    }
    AddOlder(lock, record);
    ++started;
  }
  return started;
}

}  // namespace

ThreadRecord* CurrentThread() {
  if (t_record != nullptr || g_older.load(std::memory_order_relaxed) == nullptr) return t_record;
  return Adopt();
}

bool PrepareThreads(MakeKey make) {
  return make(&g_key, [](void*) { EndThread(); }) == 0;
}

void StartThread(bool is_main, uint64_t stack_end, bool may_be_listed) {
  if (!g_agent.active.load(std::memory_order_relaxed) || t_record != nullptr) return;
  const SignalsBlocked blocked;
  ThreadRecord* record = TakeRecord(blocked);
  if (record == nullptr) {
    ++g_agent.ring.header()->counters.threads_refused;
    return;
  }
  const Subject self = Self(is_main);
  bool is_listed = false;
  if (may_be_listed) {
    const FreeListLock lock(blocked);
    is_listed = FindOlder(self.tid) != nullptr;
    if (!is_listed) {
      record->tid = self.tid;
      AddOlder(lock, record);
    }
  }
  if (is_listed) {
    GiveRecord(blocked, record);
    Adopt();
    return;
  }
  if (stack_end == 0) stack_end = PageEnd(is_main ? __libc_stack_end : __builtin_frame_address(0));
  record->stack_end = stack_end;
  record->tick_times = ThreadModeTimes();
  Begin(blocked, record, self);
  t_record = record;
  if (!is_main) NoticeEnd(record);
}

void ExpectOtherThreads() { g_listing.store(true); }

bool ThreadsAreListed() { return g_listing.load(); }

void StartOtherThreads() {
  // Threads that come and go may hide others: until there are no new ones.
  constexpr int kMaxPasses = 8;
  const SignalsBlocked blocked;
  for (int i = 0; i < kMaxPasses && StartUnknownThreads(blocked) != 0; ++i) {
  }
  g_listing.store(false);
}

void EndThread() {
  ThreadRecord* record = t_record;
  if (record == nullptr) return;
  const SignalsBlocked blocked;
  t_record = nullptr;
  if (record->timer >= 0) Syscall(SYS_timer_delete, record->timer);
  transport::ThreadEnd end{};
  end.tid = record->tid;
  end.time_ns = NowNs(CLOCK_MONOTONIC);
  end.cpu_ns = NowNs(CLOCK_THREAD_CPUTIME_ID);
  Syscall(SYS_prctl, PR_GET_NAME, Arg(end.name));
  WriteRecord(blocked, end, RecordType::kThreadEnd);
  record->tid = 0;
  GiveRecord(blocked, record);
}

void RestartAfterFork() {
  g_free_lock.clear();
  g_free = nullptr;  // may have been caught half-way by the fork
  g_older = nullptr;
  g_listing = false;
  ThreadRecord* record = t_record;
  // Whichever thread that was, its stack is mapped here.
  if (record == nullptr) return StartThread(true, PageEnd(__builtin_frame_address(0)));
  const SignalsBlocked blocked;
  record->previous_lost = true;
  record->codes.Clear();  // its slots are those of the parent's ring
  record->seen.Clear();
  record->greenlets = {};  // so is what was said of them
  record->uses_perf = false;
  record->tick_times = ThreadModeTimes();
  Begin(blocked, record, Self(true));
}

}  // namespace pyrometer::agent
