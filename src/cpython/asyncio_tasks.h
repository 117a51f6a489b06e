// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cpython/asyncio_handles.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/set_table.h"
#include "cpython/task_object.h"
#include "cpython/threads.h"

namespace pyrometer::cpython {

// Some of many tasks, always the same ones: those whose address, well mixed, has
// `bits` zeros at its end. Of a random task the chance is 1 in 2^bits.
// Signal-safety: safe.
struct TaskShare {
  uint32_t bits = 0;

  bool Has(uint64_t address) const {
    uint64_t mixed = address * 0x9e3779b97f4a7c15;
    mixed ^= mixed >> 32;
    return (mixed & ((uint64_t{1} << bits) - 1)) == 0;
  }
};

// Collects the tasks of a program. Lives on the stack of ReadTasks.
// Signal-safety: async-signal-safe if the reader is. Uses < 8 KiB of stack.
template <MemoryReader R>
class TaskCollector {
 public:
  TaskCollector(const Layout& layout, const AsyncioHandles& handles, const R& reader,
                TaskShare share, std::span<Task> out)
      : layout_(layout), handles_(handles), reader_(reader), share_(share), out_(out) {}

  void Run() {
    const bool lists = handles_.layout.node != kAbsent;
    size_t threads = 0;
    // What runs is read before the tasks: a task that starts meanwhile counts
    // as ready, none is reported as running that has long ended.
    ReadCurrentTasks();
    if (lists) ReadThreads(layout_, reader_, handles_.runtime, threads_, &threads);
    for (size_t i = 0; i < threads; ++i) ReadRunningTask(threads_[i].tstate);
    for (size_t i = 0; i < threads; ++i) {
      VisitList(threads_[i].tstate + handles_.layout.thread_tasks);
    }
    if (lists) VisitList(handles_.interpreter + handles_.layout.interpreter_tasks);
    for (const uint64_t set : handles_.weak_sets) {
      if (set != 0) VisitWeakSet(set);
    }
    for (const uint64_t set : handles_.strong_sets) {
      if (set != 0) {
        VisitSet(handles_.objects, reader_, set, [&](uint64_t task) { return Add(task); });
      }
    }
  }

  size_t count() const { return count_; }
  size_t visited() const { return visited_; }

 private:
  static constexpr size_t kMaxThreads = 128;
  static constexpr size_t kMaxRunning = 128;

  void ReadCurrentTasks() {
    DictTable table;
    if (!ReadDict(handles_.objects, reader_, handles_.current_tasks, &table)) return;
    VisitEntries(reader_, table, 0, [&](uint64_t, uint64_t task) { return AddRunning(task); });
  }
  void ReadRunningTask(uint64_t tstate) {
    uint64_t task = 0;
    if (ReadValue(reader_, tstate + handles_.layout.thread_running_task, &task)) AddRunning(task);
  }
  bool AddRunning(uint64_t task) {
    if (task != 0 && running_count_ < kMaxRunning) running_[running_count_++] = task;
    return running_count_ < kMaxRunning;
  }

  void VisitWeakSet(uint64_t set) {
    VisitSet(handles_.objects, reader_, set, [&](uint64_t reference) {
      uint64_t task = 0;
      if (reference % 8 == 0) {
        ReadValue(reader_, reference + handles_.objects.weakref_object, &task);
      }
      return Add(task);
    });
  }

  // A list whose nodes lie inside of the tasks. Every node must link back to
  // the one before, which no stale or reused memory does.
  void VisitList(uint64_t head) {
    struct Node {
      uint64_t next;
      uint64_t previous;
    };
    Node node;
    if (!ReadValue(reader_, head, &node)) return;
    uint64_t before = head;
    while (node.next != head && node.next != 0 && node.next % 8 == 0) {
      const uint64_t at = node.next;
      if (!ReadValue(reader_, at, &node) || node.previous != before) return;
      if (!Add(at - handles_.layout.node)) return;
      before = at;
    }
  }

  // False when the room is full. What is not a task is left out.
  bool Add(uint64_t address) {
    // Bounds the lists too, when they hold what are no tasks.
    if (count_ == out_.size() || ++visited_ > kMaxVisited) return false;
    if (!share_.Has(address)) return true;
    Task task;
    if (!ReadTask(layout_, handles_, reader_, address, &task)) return true;
    uint64_t* const end = running_ + running_count_;
    if (task.state != TaskState::kDone && std::find(running_, end, address) != end) {
      task.state = TaskState::kRunning;
    }
    out_[count_++] = task;
    return true;
  }

  static constexpr size_t kMaxVisited = 1 << 24;

  const Layout& layout_;
  const AsyncioHandles& handles_;
  const R& reader_;
  const TaskShare share_;
  std::span<Task> out_;
  size_t count_ = 0;
  size_t visited_ = 0;
  uint64_t running_[kMaxRunning];
  size_t running_count_ = 0;
  PythonThread threads_[kMaxThreads];
};

// Reads the asyncio tasks of all loops and threads into `out`; `*count` is how
// many were written. The program may run meanwhile: tasks that come or go may
// be missing, a container that is being rebuilt may hide its members, a task
// may be listed twice. Returns how many there are in all, of which only those in
// `share` are read; more may be where the room was full.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
size_t ReadTasks(const Layout& layout, const AsyncioHandles& handles, const R& reader,
                 TaskShare share, std::span<Task> out, size_t* count) {
  TaskCollector<R> collector(layout, handles, reader, share, out);
  collector.Run();
  *count = collector.count();
  return collector.visited();
}

}  // namespace pyrometer::cpython
