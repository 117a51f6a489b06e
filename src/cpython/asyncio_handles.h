// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/instance.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/modules.h"
#include "cpython/name_lookup.h"
#include "cpython/object_layout.h"
#include "cpython/task_layout.h"

namespace pyrometer::cpython {

// Where a program keeps its asyncio tasks. Found once by FindAsyncio; stays
// valid until the interpreter is finalized or asyncio is reloaded, also in a
// forked child. Owned by the caller, used by one thread at a time.
struct AsyncioHandles {
  ObjectLayout objects;
  TaskLayout layout;
  uint64_t runtime = 0;
  uint64_t interpreter = 0;
  uint64_t task_type = 0;    // of C tasks; 0 where only Python's are in use
  uint64_t future_type = 0;  // likewise
  // Sets of weak references to tasks, and of tasks; 0 = none.
  uint64_t weak_sets[2] = {};
  uint64_t strong_sets[2] = {};
  uint64_t current_tasks = 0;  // dictionary loop -> running task
  // sys.modules as last seen without asyncio: while it does not grow there is
  // nothing to look for.
  uint64_t modules_seen = 0;
  uint32_t module_count_seen = 0;
};

// Takes the registries out of the globals of asyncio.tasks and _asyncio.
// Lives on the stack of FindAsyncio. Signal-safety: as the reader.
template <MemoryReader R>
class RegistryFinder {
 public:
  RegistryFinder(const Layout& layout, const R& reader, AsyncioHandles* out)
      : layout_(layout), reader_(reader), out_(out) {}

  // False when a registry that every version has is missing.
  bool TakePythonRegistries(uint64_t globals) {
    const bool old = out_->objects.minor < 12;
    uint64_t tasks = 0;
    if (!Global(globals, old ? "_all_tasks" : "_scheduled_tasks", &tasks) ||
        !Data(tasks, &out_->weak_sets[0]) ||
        !Global(globals, "_current_tasks", &out_->current_tasks)) {
      return false;
    }
    return old || Global(globals, "_eager_tasks", &out_->strong_sets[0]);
  }

  // False when the C tasks are not what the layout describes.
  bool TakeTypes(uint64_t globals) {
    uint64_t size = 0;
    return Global(globals, "Task", &out_->task_type) &&
           Global(globals, "Future", &out_->future_type) &&
           ReadValue(reader_, out_->task_type + out_->objects.type_basic_size, &size) &&
           size == out_->layout.size;
  }

  bool TakeForeignRegistries(const DictTable& modules) {
    const TaskLayout& at = out_->layout;
    if (at.module_state == kAbsent) return true;
    uint64_t module = 0;
    uint64_t state = 0;
    uint64_t tasks = 0;
    return FindName(layout_, reader_, modules, "_asyncio", &module) &&
           ReadValue(reader_, module + at.module_state, &state) && state != 0 &&
           ReadValue(reader_, state + at.foreign_tasks, &tasks) &&
           ReadValue(reader_, state + at.foreign_eager_tasks, &out_->strong_sets[1]) &&
           Data(tasks, &out_->weak_sets[1]);
  }

 private:
  bool Global(uint64_t globals, std::string_view name, uint64_t* value) const {
    return FindInDict(layout_, out_->objects, reader_, globals, name, value);
  }
  // The set inside of a WeakSet.
  bool Data(uint64_t weak_set, uint64_t* set) const {
    return ReadAttribute(layout_, out_->objects, reader_, weak_set, "data", set);
  }

  const Layout& layout_;
  const R& reader_;
  AsyncioHandles* out_;
};

// Finds the registries of the main interpreter of the runtime at `runtime`.
// Returns false while asyncio is not imported, or when this build's tasks are
// not known. Then call again with the same `*out`, and a reader that has
// forgotten what it read before: as long as no module was imported in between,
// that costs a dozen small reads.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool FindAsyncio(const Layout& layout, const R& reader, uint64_t runtime, AsyncioHandles* out) {
  const ObjectLayout* objects = FindObjectLayout(layout.minor, layout.free_threaded);
  const TaskLayout* tasks = FindTaskLayout(layout.minor, layout.free_threaded);
  if (objects == nullptr || tasks == nullptr) return false;
  AsyncioHandles found{.objects = *objects, .layout = *tasks, .runtime = runtime};
  found.interpreter = MainInterpreter(layout, reader, runtime);
  DictTable modules;
  if (found.interpreter == 0 ||
      !ReadModules(*objects, reader, runtime, found.interpreter, &modules)) {
    return false;
  }
  if (modules.entries == out->modules_seen && modules.count == out->module_count_seen) return false;
  uint64_t package = 0;
  uint64_t globals = 0;
  uint64_t accelerator = 0;
  uint64_t exports = 0;
  RegistryFinder<R> finder(layout, reader, &found);
  if (!FindModule(layout, *objects, reader, modules, "asyncio", &package)) {
    out->modules_seen = modules.entries;
    out->module_count_seen = modules.count;
    return false;
  }
  // The package gets this name after its last import: until then asyncio.tasks
  // may still replace its registries.
  if (!FindInDict(layout, *objects, reader, package, "__all__", &exports) ||
      !FindModule(layout, *objects, reader, modules, "asyncio.tasks", &globals) ||
      !finder.TakePythonRegistries(globals)) {
    return false;
  }
  if (FindModule(layout, *objects, reader, modules, "_asyncio", &accelerator) &&
      (!finder.TakeTypes(accelerator) || !finder.TakeForeignRegistries(modules))) {
    return false;
  }
  *out = found;
  return true;
}

}  // namespace pyrometer::cpython
