// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/asyncio_handles.h"
#include "cpython/code_object.h"
#include "cpython/instance.h"
#include "cpython/integer.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/name_lookup.h"

namespace pyrometer::cpython {

enum class TaskState : uint8_t {
  kRunning,    // the current task of its loop
  kSuspended,  // waits for `waiter`
  kReady,      // its loop will step it: new, or what it waited for is done
  kDone,
};

// One asyncio task. Addresses are of the target.
struct Task {
  uint64_t address = 0;
  uint64_t coroutine = 0;
  uint64_t name = 0;  // see ReadTaskName
  uint64_t loop = 0;
  uint64_t waiter = 0;  // future or task that it is suspended on, 0 if none
  TaskState state = TaskState::kReady;
};

// A task's name: text, or where `text.data` is 0 "Task-" and a number, which
// CPython 3.13 and later format only when asked.
struct TaskName {
  TextView text;
  uint64_t number = 0;
};

// False when `task.name` is neither a str nor an int.
// Signal-safety (all functions): async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadTaskName(const Layout& layout, const AsyncioHandles& handles, const R& reader,
                  const Task& task, TaskName* out) {
  constexpr uint64_t kIsText = uint64_t{1} << 28;
  const ObjectLayout& objects = handles.objects;
  const uint64_t type = TypeOf(layout, reader, task.name);
  uint64_t flags = 0;
  *out = TaskName();
  if (type == 0 || !ReadValue(reader, type + objects.type_flags, &flags)) return false;
  if ((flags & kIsText) != 0) return ReadText(layout, reader, task.name, &out->text);
  return ReadInteger(layout, objects, reader, task.name, &out->number);
}

// Whether the object at `object` is a future or a task written in C.
template <MemoryReader R>
bool IsNativeFuture(const Layout& layout, const AsyncioHandles& handles, const R& reader,
                    uint64_t object) {
  const uint64_t type = TypeOf(layout, reader, object);
  return IsSubtype(handles.objects, reader, type, handles.future_type) ||
         IsSubtype(handles.objects, reader, type, handles.task_type);
}

// The same for any future. All that are written in Python know their loop.
template <MemoryReader R>
bool IsFuture(const Layout& layout, const AsyncioHandles& handles, const R& reader,
              uint64_t object) {
  uint64_t loop = 0;
  return IsNativeFuture(layout, handles, reader, object) ||
         ReadAttribute(layout, handles.objects, reader, object, "_loop", &loop);
}

// Whether the future at `future` has a result.
template <MemoryReader R>
bool IsDone(const Layout& layout, const AsyncioHandles& handles, const R& reader, uint64_t future) {
  if (IsNativeFuture(layout, handles, reader, future)) {
    int32_t state = 0;
    return ReadValue(reader, future + handles.layout.state, &state) && state != 0;
  }
  // While it is pending only the class has the attribute.
  uint64_t text = 0;
  return ReadAttribute(layout, handles.objects, reader, future, "_state", &text) &&
         !TextIs(layout, reader, text, "PENDING");
}

template <MemoryReader R>
bool ReadNativeTask(const AsyncioHandles& handles, const R& reader, Task* task, bool* done) {
  const TaskLayout& at = handles.layout;
  int32_t state = 0;
  if (!ReadValue(reader, task->address + at.state, &state) ||
      !ReadValue(reader, task->address + at.coroutine, &task->coroutine) ||
      !ReadValue(reader, task->address + at.name, &task->name) ||
      !ReadValue(reader, task->address + at.loop, &task->loop) ||
      !ReadValue(reader, task->address + at.waiter, &task->waiter)) {
    return false;
  }
  *done = state != 0;
  return state >= 0 && state <= 2;
}

// A task written in Python, or of another library with the same attributes.
template <MemoryReader R>
bool ReadPythonTask(const Layout& layout, const AsyncioHandles& handles, const R& reader,
                    Task* task, bool* done) {
  const ObjectLayout& objects = handles.objects;
  if (!ReadAttribute(layout, objects, reader, task->address, "_coro", &task->coroutine) ||
      !ReadAttribute(layout, objects, reader, task->address, "_name", &task->name) ||
      !ReadAttribute(layout, objects, reader, task->address, "_loop", &task->loop) ||
      !ReadAttribute(layout, objects, reader, task->address, "_fut_waiter", &task->waiter)) {
    return false;
  }
  if (!IsFuture(layout, handles, reader, task->waiter)) task->waiter = 0;  // None
  *done = IsDone(layout, handles, reader, task->address);
  return true;
}

// Reads the task at `address`, all but whether it runs. False when there is no
// task there.
template <MemoryReader R>
bool ReadTask(const Layout& layout, const AsyncioHandles& handles, const R& reader,
              uint64_t address, Task* out) {
  const uint64_t type = TypeOf(layout, reader, address);
  if (type == 0) return false;
  bool done = false;
  *out = Task{.address = address};
  const bool readable = IsSubtype(handles.objects, reader, type, handles.task_type)
                            ? ReadNativeTask(handles, reader, out, &done)
                            : ReadPythonTask(layout, handles, reader, out, &done);
  if (!readable) return false;
  const bool waits = out->waiter != 0 && !IsDone(layout, handles, reader, out->waiter);
  out->state = done ? TaskState::kDone : waits ? TaskState::kSuspended : TaskState::kReady;
  return true;
}

}  // namespace pyrometer::cpython
