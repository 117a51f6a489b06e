// SPDX-License-Identifier: Apache-2.0
#include "agent/core/thread_registry.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include <atomic>
#include <cstddef>
#include <span>

#include "agent/core/agent.h"
#include "agent/core/clock.h"
#include "agent/core/engine.h"
#include "agent/core/in_recording.h"
#include "agent/core/next_symbol.h"
#include "agent/core/signals_blocked.h"
#include "agent/core/task_facts.h"
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
// All records of this process. It only grows, to as many as there were threads at once.
std::atomic<ThreadRecord*> g_all;
size_t g_record_bytes;  // with the parts of the engines
// Records that were made for threads older than the recording. It only grows; who has no record
// looks there for its number.
std::atomic<ThreadRecord*> g_older;
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

// Where the engines have their parts, and how long a record is with them.
size_t LayOutRecord() {
  size_t end = sizeof(ThreadRecord);
  for (const Engine* engine : kEngines) {
    ThreadSlot* part = engine->thread_part;
    if (part == nullptr) continue;
    end = (end + part->alignment - 1) / part->alignment * part->alignment;
    part->offset = static_cast<uint32_t>(end);
    end += part->bytes;
  }
  return end;
}

ThreadRecord* FreshRecord(const SignalsBlocked& blocked) {
  auto* record = static_cast<ThreadRecord*>(sigsafe::MapPages(g_record_bytes));
  if (record == nullptr) return nullptr;
  record->recording = g_agent.recording;
  const FreeListLock lock(blocked);
  record->next = g_all.load(std::memory_order_relaxed);
  g_all.store(record, std::memory_order_release);
  return record;
}

ThreadRecord* TakeRecord(const SignalsBlocked& blocked) {
  ThreadRecord* record = nullptr;
  {
    const FreeListLock lock(blocked);
    record = g_free;
    if (record != nullptr) g_free = record->next_free;
  }
  if (record == nullptr) return FreshRecord(blocked);
  record->stacks[0].count = record->stacks[1].count = 0;
  record->greenlet_misses = 0;
  record->greenlets = {};
  record->previous_lost = false;
  return record;
}

void Free(const FreeListLock&, ThreadRecord* record) {
  record->is_owned = false;
  record->tid = 0;
  record->next_free = g_free;
  g_free = record;
}

uint32_t OwnTid() { return static_cast<uint32_t>(Syscall(SYS_gettid)); }

Subject Self(bool is_main) {
  return {.tid = OwnTid(),
          .clock = CLOCK_THREAD_CPUTIME_ID,
          .pthread = reinterpret_cast<uint64_t>(pthread_self()),
          .is_main = is_main,
          .is_new = !is_main,
          .is_self = true,
          .is_deaf = false};
}

Subject Other(uint32_t tid) {
  // As the kernel encodes it: the thread's own clock of what the scheduler gave it.
  constexpr uint32_t kThreadSchedClock = 6;
  return {.tid = tid,
          .clock = static_cast<clockid_t>(~tid << 3 | kThreadSchedClock),
          .pthread = 0,
          .is_main = tid == g_agent.process,
          .is_new = false,
          .is_self = false,
          .is_deaf = HasBlocked(tid, g_agent.signal_number)};
}

template <class Record>
void WriteRecord(const SignalsBlocked&, const Record& record, RecordType type) {
  g_agent.ring.Write(record, type);
}

void WriteStart(const SignalsBlocked& blocked, const ThreadRecord& record, const Subject& thread) {
  transport::ThreadStart start{};
  start.tid = thread.tid;
  start.is_main = thread.is_main ? 1 : 0;
  start.pthread = thread.pthread;
  start.time_ns = record.start_ns;
  start.cpu_ns = record.start_cpu_ns;
  if (!thread.is_new) start.queued_ns = QueuedNs(thread.tid);
  WriteRecord(blocked, start, RecordType::kThreadStart);
}

void TellEnd(ThreadRecord* record, std::span<const Engine* const> engines) {
  for (const Engine* engine : engines)
    if (engine->thread_end != nullptr) engine->thread_end(record);
}

// False: the thread has ended already.
bool TellStart(ThreadRecord* record, const Subject& thread) {
  for (size_t i = 0; i < kEngines.size(); ++i) {
    const Engine* engine = kEngines[i];
    if (engine->thread_start == nullptr || engine->thread_start(record, thread)) continue;
    TellEnd(record, kEngines.first(i));
    return false;
  }
  return true;
}

// False: the thread has ended already.
bool Begin(const SignalsBlocked& blocked, ThreadRecord* record, const Subject& thread) {
  if (record->recording != g_agent.recording) {
    record->recording = g_agent.recording;
    record->previous_lost = true;
    record->codes.Clear();   // its slots are those of another ring
    record->greenlets = {};  // so is what was said of them
  }
  record->start_cpu_ns = NowNs(thread.clock);
  record->start_ns = NowNs(CLOCK_MONOTONIC);
  record->time.Set(record->start_ns, record->start_cpu_ns);
  if (!TellStart(record, thread)) return false;
  WriteStart(blocked, *record, thread);
  record->is_told.store(true, std::memory_order_release);
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

// Also one that a thread has kept from an earlier recording.
ThreadRecord* FindAny(uint32_t tid) {
  ThreadRecord* record = g_all.load(std::memory_order_acquire);
  while (record != nullptr && record->tid != tid) record = record->next;
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
  const InRecording inside;
  if (!inside) return nullptr;
  ThreadRecord* record = FindOlder(OwnTid());
  if (record == nullptr) return nullptr;
  const SignalsBlocked blocked;
  if (t_record != nullptr) return t_record;  // in a handler, meanwhile
  // That thread may have ended, and this one have got its number.
  if (NowNs(CLOCK_THREAD_CPUTIME_ID) < record->start_cpu_ns) return nullptr;
  const bool is_main = record->tid == g_agent.process;
  // The descriptor of a thread lies at the upper end of its stack.
  if (!is_main) record->stack_end = PageEnd(reinterpret_cast<void*>(pthread_self()));
  // Values of the first keys lie in the descriptor; those of others need the heap. Without, the
  // record stays with the thread when it has ended.
  constexpr pthread_key_t kKeysInDescriptor = 32;
  if (!is_main && g_key < kKeysInDescriptor) NoticeEnd(record);
  record->is_owned = true;
  t_record = record;
  Subject self = Self(is_main);
  self.is_new = true;  // when it began is told already, and a handler has little room
  WriteStart(blocked, *record, self);
  return record;
}

// Starts sampling those threads that have kept their records from an earlier recording.
void StartKnownThreads(const SignalsBlocked& blocked) {
  const FreeListLock lock(blocked);
  for (ThreadRecord* record = g_all; record != nullptr; record = record->next)
    if (record->is_owned && !record->is_told) Begin(blocked, record, Other(record->tid));
}

// Starts sampling those threads that nobody has started yet; how many there were.
int StartUnknownThreads(const SignalsBlocked& blocked) {
  const uint32_t self = OwnTid();
  int started = 0;
  TaskList list;
  while (const uint32_t tid = list.Next()) {
    timespec cpu;
    if (tid == self || FindAny(tid) != nullptr) continue;
    const Subject thread = Other(tid);
    if (Syscall(SYS_clock_gettime, thread.clock, Arg(&cpu)) < 0) continue;
    ThreadRecord* record = TakeRecord(blocked);
    if (record == nullptr) {
      ++g_agent.ring.header()->counters.threads_refused;
      return 0;
    }
    record->program_blocks_signal = thread.is_deaf;
    record->stack_end = thread.is_main ? PageEnd(__libc_stack_end) : 0;
    const FreeListLock lock(blocked);
    if (FindAny(tid) != nullptr || !Begin(blocked, record, thread)) {
      Free(lock, record);
      continue;
    }
    // Last: the thread may look for it at any moment.
    AddOlder(lock, record);
    record->tid.store(tid, std::memory_order_release);
    ++started;
  }
  return started;
}

bool IsGone(uint32_t tid) { return Syscall(SYS_tgkill, g_agent.process, tid, 0) == -ESRCH; }

}  // namespace

ThreadRecord* CurrentThread() {
  if (t_record != nullptr || g_older.load(std::memory_order_relaxed) == nullptr) return t_record;
  return Adopt();
}

bool PrepareThreads() {
  if (g_record_bytes != 0) return true;
  int (*make)(pthread_key_t*, void (*)(void*)) = nullptr;  // not our hook
  if (NextSymbol(&make, "pthread_key_create")(&g_key, [](void*) { EndThread(); }) != 0)
    return false;
  g_record_bytes = LayOutRecord();
  return true;
}

void StartThread(bool is_main, uint64_t stack_end) {
  const InRecording inside;
  if (!inside) return;
  const SignalsBlocked blocked;
  Subject self = Self(is_main);
  if (t_record != nullptr) {
    self.is_new = false;
    if (!t_record->is_told) Begin(blocked, t_record, self);
    return;
  }
  ThreadRecord* record = TakeRecord(blocked);
  if (record == nullptr) {
    ++g_agent.ring.header()->counters.threads_refused;
    return;
  }
  record->program_blocks_signal = false;
  bool is_made = false;  // one for this thread, by who has listed the threads
  {
    const FreeListLock lock(blocked);
    const ThreadRecord* older = FindOlder(self.tid);
    is_made = older != nullptr && !older->is_owned;
    if (is_made)
      Free(lock, record);
    else
      record->tid = self.tid;  // whoever lists threads sees it from here on
  }
  if (is_made) {
    Adopt();
    return;
  }
  if (stack_end == 0) stack_end = PageEnd(is_main ? __libc_stack_end : __builtin_frame_address(0));
  record->stack_end = stack_end;
  Begin(blocked, record, self);
  record->is_owned = true;
  t_record = record;
  if (!is_main) NoticeEnd(record);
}

void StartOtherThreads() {
  // Threads that come and go may hide others: until there are no new ones.
  constexpr int kMaxPasses = 8;
  const SignalsBlocked blocked;
  StartKnownThreads(blocked);
  for (int i = 0; i < kMaxPasses && StartUnknownThreads(blocked) != 0; ++i) {
  }
}

void EndThread() {
  ThreadRecord* record = t_record;
  if (record == nullptr) return;
  const SignalsBlocked blocked;
  t_record = nullptr;
  if (const InRecording inside; inside && record->is_told) {
    record->is_told = false;
    TellEnd(record, kEngines);
    transport::ThreadEnd end{};
    end.tid = record->tid;
    end.time_ns = NowNs(CLOCK_MONOTONIC);
    end.cpu_ns = NowNs(CLOCK_THREAD_CPUTIME_ID);
    Syscall(SYS_prctl, PR_GET_NAME, Arg(end.name));
    WriteRecord(blocked, end, RecordType::kThreadEnd);
  }
  const FreeListLock lock(blocked);
  Free(lock, record);
}

void EndAllThreads() {
  const SignalsBlocked blocked;
  const FreeListLock lock(blocked);
  for (ThreadRecord* record = g_all; record != nullptr; record = record->next) {
    if (record->is_told) TellEnd(record, kEngines);
    record->is_told = false;
    // Nobody else releases a record that its thread has never found, or whose thread could not
    // notice its end.
    const uint32_t tid = record->tid;
    if (tid != 0 && (!record->is_owned || IsGone(tid))) Free(lock, record);
  }
}

void RestartAfterFork(bool on) {
  g_free_lock.clear();
  g_free = nullptr;  // may have been caught half-way by the fork
  g_older = nullptr;
  g_all = nullptr;
  ThreadRecord* record = t_record;
  if (record != nullptr) {
    record->next = nullptr;
    record->is_listed = record->is_told = false;
    record->tid = OwnTid();
    g_all = record;
  }
  if (!on) return;
  // Whichever thread that was, its stack is mapped here.
  if (record == nullptr) return StartThread(true, PageEnd(__builtin_frame_address(0)));
  const SignalsBlocked blocked;
  Begin(blocked, record, Self(true));
}

}  // namespace pyrometer::agent
