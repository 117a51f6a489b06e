// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "transport/ring.h"

namespace pyrometer::agent {

struct ThreadRecord;

// When a recording begins in this process.
struct Moment {
  bool before_main;         // there is one thread, and no interpreter runs yet
  bool chooses_allocators;  // the interpreter, or it may do so: see interpreter.h
};

// A thread whose sampling begins: the calling one, or one that is older than the recording.
struct Subject {
  uint32_t tid;
  clockid_t clock;   // its CPU time
  uint64_t pthread;  // 0: known to the thread itself only
  bool is_main;
  bool is_new;
  bool is_self;
  bool is_deaf;  // our signal is blocked there, and stays so
};

// What an engine keeps for each thread: a part of the thread's record, zeros in a new one, and for
// the next thread as `thread_end` leaves it. One constant-initialised object of ThreadPart<T> is
// named by the engine and says where the part is.
struct ThreadSlot {
  uint32_t bytes;
  uint32_t alignment;
  uint32_t offset;  // in the record; set before the first record is made
};
template <class T>
struct ThreadPart : ThreadSlot {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);
  constexpr ThreadPart() : ThreadSlot{sizeof(T), alignof(T), 0} {}
  T& Of(ThreadRecord* record) const {
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(record) + offset);
  }
  const T& Of(const ThreadRecord* record) const {
    return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(record) + offset);
  }
};

// A way of recording: where samples come from. It is a table of what it wants to be told; what it
// leaves empty it is not told. All engines of a library are in one list, and nothing else knows
// them; they know the core, and not each other. docs/design/0014-engines.md
//
// The order of what an engine is told in one process:
//   prepare (describe thread_start* start (pause resume)* stop thread_end*)*
// Threads that begin and end meanwhile are told of in between. In the child of a fork
//   describe fork_child thread_start
// goes on after `start`: of the one thread, whose part is as it was. Where the child is not
// recorded it is told `fork_child` alone.
// Nobody is told of exec: what runs then may be the child of a vfork, in the memory of its parent,
// and nothing of an engine outlives an exec that succeeds.
//
// Context: outside handlers but for `pause`, `resume` and `on_signal`; signals are blocked in
// `thread_start` and `thread_end`. No heap, no exceptions; constant-initialised, so an engine can
// be told before the first constructor.
struct Engine {
  const char* name;
  ThreadSlot* thread_part;
  // Once in a process, before all others, while there may be one thread: looks up the functions
  // behind hooks. Also where nothing is recorded later.
  void (*prepare)();
  // A ring is about to be shown to the collector: says there what it must know.
  void (*describe)(transport::RingHeader*);
  // All threads that exist are known: samples may be taken from here on.
  void (*start)(const Moment&);
  // Nobody is inside the recording any more, and the ring is still there. Hooks stay where they
  // are, and pass on.
  void (*stop)();
  // Somebody has found that no samples are wanted for now, or are again. In a handler, too.
  void (*pause)();
  void (*resume)();
  // False: the thread is gone. Called by the thread itself, or by the one that starts the
  // recording.
  bool (*thread_start)(ThreadRecord*, const Subject&);
  // Releases what thread_start has taken. By the thread at its end, or by the one that stops.
  void (*thread_end)(ThreadRecord*);
  // What the parent had is not this process's: its other threads are gone, and so are its timers.
  // `on`: the child has a ring.
  void (*fork_child)(bool on);
  // Our signal, or one of its number. True: it was this engine's.
  bool (*on_signal)(const siginfo_t*, void* context);
};

// The one list: engines/list.cc or, without hooks on memory, engines/list_time.cc.
extern const std::span<const Engine* const> kEngines;

// Calls one of their functions, in the order of the list.
template <class... Parameters, class... Arguments>
void TellEngines(void (*Engine::*what)(Parameters...), Arguments&&... arguments) {
  for (const Engine* engine : kEngines)
    if (engine->*what != nullptr) (engine->*what)(arguments...);
}

// Whether a signal was that of an engine. Signal-safety: safe.
inline bool GiveToEngines(const siginfo_t* info, void* context) {
  for (const Engine* engine : kEngines)
    if (engine->on_signal != nullptr && engine->on_signal(info, context)) return true;
  return false;
}

}  // namespace pyrometer::agent
