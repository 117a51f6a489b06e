// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "cpython/layout.h"

namespace pyrometer::cpython {

// Where one CPython build keeps the fields of the tasks of its _asyncio module.
// No header declares them: measured on running interpreters. Futures share the
// fields up to `state`.
//
// Thread-safety: immutable. Signal-safety: plain data.
struct TaskLayout {
  uint16_t minor = 0;
  bool free_threaded = false;

  uint32_t size = kAbsent;  // of a task; another size means another structure
  uint32_t loop = kAbsent;
  uint32_t state = kAbsent;   // 0 pending, 1 cancelled, 2 finished
  uint32_t waiter = kAbsent;  // the future that the task is suspended on
  uint32_t coroutine = kAbsent;
  uint32_t name = kAbsent;                 // str, or int N for "Task-N"
  uint32_t origin = kAbsent;               // in debug mode: where it was made, else None
  uint32_t node = kAbsent;                 // 3.14+: link in the list of the thread's tasks
  uint32_t thread_running_task = kAbsent;  // 3.14+
  uint32_t thread_tasks = kAbsent;         // 3.14+: head of the list
  uint32_t interpreter_tasks = kAbsent;    // 3.14+: tasks of threads that ended
  // 3.14+: registries of tasks that are not C tasks, in the state of the module.
  uint32_t module_state = kAbsent;
  uint32_t foreign_tasks = kAbsent;        // a WeakSet
  uint32_t foreign_eager_tasks = kAbsent;  // a set
};
static_assert(std::is_trivially_copyable_v<TaskLayout>);

// The layout for a build, or nullptr when it is not known.
const TaskLayout* FindTaskLayout(uint16_t minor, bool free_threaded);

}  // namespace pyrometer::cpython
