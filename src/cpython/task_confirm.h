// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpython/asyncio_handles.h"
#include "cpython/await_walk.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/task_object.h"

namespace pyrometer::cpython {

// Whether `task` is still there and its coroutine stands where `chain` saw it.
// A task that has ended leaves its memory to others: without this, the chain of
// another task's inner coroutine can be taken for its own.
//
// Give a reader that remembers nothing from before the walk ended. What has not
// changed from one look to the other was so when the first look ended, hence the
// task and all frames of the chain belong to that one instant.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ConfirmTask(const Layout& layout, const AsyncioHandles& handles, const R& reader,
                 const Task& task, const AwaitChain& chain) {
  Task now;
  return ConfirmAwaits(layout, handles.objects, reader, task.coroutine, chain) &&
         ReadTask(layout, handles, reader, task.address, &now) && now.state != TaskState::kDone &&
         now.coroutine == task.coroutine && now.name == task.name && now.loop == task.loop &&
         now.waiter == task.waiter;
}

}  // namespace pyrometer::cpython
