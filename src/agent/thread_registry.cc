// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_registry.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include <atomic>
#include <cstring>

#include "agent/agent.h"
#include "agent/clock.h"
#include "agent/sampler.h"
#include "agent/signals_blocked.h"
#include "sigsafe/pages.h"
#include "sigsafe/syscall.h"

extern "C" void* __libc_stack_end;  // NOLINT(bugprone-reserved-identifier): the dynamic linker's

namespace pyrometer::agent {
namespace {

using sigsafe::Arg;
using sigsafe::Syscall;
using transport::RecordType;
using transport::RingWriter;

constexpr uint64_t kPageBytes = 4096;

thread_local ThreadRecord* t_record = nullptr;

// Records of ended threads, kept for the next ones: a program may start
// thousands of threads. Taken and given with signals blocked, so a spinning
// thread waits for one that runs.
std::atomic_flag g_free_lock = ATOMIC_FLAG_INIT;
ThreadRecord* g_free = nullptr;

class FreeListLock {
 public:
  explicit FreeListLock(const SignalsBlocked&) {
    while (g_free_lock.test_and_set(std::memory_order_acquire)) Syscall(SYS_sched_yield);
  }
  ~FreeListLock() { g_free_lock.clear(std::memory_order_release); }
  FreeListLock(const FreeListLock&) = delete;
  FreeListLock& operator=(const FreeListLock&) = delete;
};

ThreadRecord* TakeRecord(const SignalsBlocked& blocked) {
  ThreadRecord* record = nullptr;
  {
    const FreeListLock lock(blocked);
    record = g_free;
    if (record != nullptr) g_free = record->next_free;
  }
  if (record != nullptr) {
    record->stacks[0].count = record->stacks[1].count = 0;
    record->torn_run = 0;
    record->uses_perf = record->baseline = record->previous_lost = false;
    return record;
  }
  return static_cast<ThreadRecord*>(sigsafe::MapPages(sizeof(ThreadRecord)));
}

void GiveRecord(const SignalsBlocked& blocked, ThreadRecord* record) {
  const FreeListLock lock(blocked);
  record->next_free = g_free;
  g_free = record;
}

int32_t MakeTimer(uint32_t tid) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = g_agent.signal_number;
  event.sigev_value.sival_int = static_cast<int>(kTimerMark);
  event._sigev_un._tid = static_cast<pid_t>(tid);
  int32_t timer = -1;
  if (Syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, Arg(&event), Arg(&timer)) < 0) return -1;
  const auto period = static_cast<int64_t>(TickPace::TimerNs(g_agent.options));
  // The first expiration is at the first tick: a thread that lives for less
  // than a period is then hit as often as its share of the time demands.
  const itimerspec when{{period / 1000000000, period % 1000000000}, {0, 1}};
  Syscall(SYS_timer_settime, timer, 0, Arg(&when), 0);
  return timer;
}

template <class Record>
void WriteRecord(const SignalsBlocked&, Record record, RecordType type) {
  constexpr uint32_t kBytes = RingWriter::Aligned(sizeof(Record));
  uint8_t* out = g_agent.ring.Reserve(kBytes);
  if (out == nullptr) return;
  RingWriter::Fill(out, record);
  RingWriter::Commit(out, kBytes, type);
}

// How long the calling thread was runnable without a CPU so far; 0 if that cannot be read.
uint64_t QueuedNs() {
  const int64_t fd =
      Syscall(SYS_openat, AT_FDCWD, Arg("/proc/thread-self/schedstat"), O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return 0;
  char text[128];
  const int64_t length = Syscall(SYS_read, fd, Arg(text), sizeof text);
  Syscall(SYS_close, fd);
  // Two numbers: the time on a CPU, and the one that is asked for.
  int64_t i = 0;
  while (i < length && text[i] != ' ') ++i;
  uint64_t queued = 0;
  for (++i; i < length && text[i] >= '0' && text[i] <= '9'; ++i)
    queued = queued * 10 + static_cast<uint64_t>(text[i] - '0');
  return queued;
}

uint64_t Scrambled(uint64_t bits) { return bits * 0x9e3779b97f4a7c15 >> 32; }

void Begin(const SignalsBlocked& blocked, ThreadRecord* record, bool is_main) {
  record->tid = static_cast<uint32_t>(Syscall(SYS_gettid));
  record->tick_cpu_ns = NowNs(CLOCK_THREAD_CPUTIME_ID);
  record->tick_times = ThreadModeTimes();
  transport::ThreadStart start{};
  start.tid = record->tid;
  start.is_main = is_main ? 1 : 0;
  start.pthread = reinterpret_cast<uint64_t>(pthread_self());
  start.time_ns = NowNs(CLOCK_MONOTONIC);
  start.cpu_ns = record->tick_cpu_ns;
  if (is_main) start.queued_ns = QueuedNs();
  record->time.Set(start.time_ns, record->tick_cpu_ns);
  record->pace.Begin(record->tick_cpu_ns, Scrambled(start.time_ns ^ start.tid), g_agent.options);
  WriteRecord(blocked, start, RecordType::kThreadStart);
  record->timer = g_agent.options.cpu ? MakeTimer(record->tid) : -1;
  if (g_agent.options.cpu && record->timer < 0) ++g_agent.ring.header()->counters.threads_refused;
}

}  // namespace

ThreadRecord* CurrentThread() { return t_record; }

void StartThread(bool is_main, uint64_t stack_end) {
  if (!g_agent.active.load(std::memory_order_relaxed) || t_record != nullptr) return;
  const SignalsBlocked blocked;
  ThreadRecord* record = TakeRecord(blocked);
  if (record == nullptr) {
    ++g_agent.ring.header()->counters.threads_refused;
    return;
  }
  if (stack_end == 0) {
    const auto here = is_main ? reinterpret_cast<uint64_t>(__libc_stack_end)
                              : reinterpret_cast<uint64_t>(__builtin_frame_address(0));
    stack_end = (here / kPageBytes + 1) * kPageBytes;
  }
  record->stack_end = stack_end;
  Begin(blocked, record, is_main);
  t_record = record;
}

void CountOtherThreads() {
  const long fd =
      Syscall(SYS_openat, AT_FDCWD, Arg("/proc/self/task"), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd < 0) return;
  // The kernel's own layout: number, offset, size of the entry (at 16), type, name (at 19).
  alignas(8) char entries[2048];
  uint64_t threads = 0;
  for (long n; (n = Syscall(SYS_getdents64, fd, Arg(entries), sizeof entries)) > 0;)
    for (long at = 0; at < n;) {
      uint16_t size;
      std::memcpy(&size, entries + at + 16, sizeof size);
      if (entries[at + 19] != '.') ++threads;
      at += size;
    }
  Syscall(SYS_close, fd);
  if (threads > 1) g_agent.ring.header()->counters.threads_refused += threads - 1;
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
  GiveRecord(blocked, record);
}

void RestartAfterFork() {
  g_free_lock.clear();
  g_free = nullptr;  // may have been caught half-way by the fork
  ThreadRecord* record = t_record;
  if (record == nullptr) return StartThread(true);
  const SignalsBlocked blocked;
  record->previous_lost = true;
  record->codes.Clear();  // its slots are those of the parent's ring
  record->uses_perf = false;
  Begin(blocked, record, true);
}

}  // namespace pyrometer::agent
