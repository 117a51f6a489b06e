// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cpython/asyncio_handles.h"
#include "cpython/code_object.h"
#include "cpython/instance.h"
#include "cpython/integer.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/name_lookup.h"
#include "cpython/task_object.h"

namespace pyrometer::cpython {

// One frame of the stack that has made a task. CPython keeps it in asyncio's debug
// mode only, as a list of traceback.FrameSummary.
struct OriginFrame {
  TextView path;
  TextView function;
  uint32_t line = 0;
};

// The attribute `name` of the instance at `object`, which its class has as a slot.
// Signal-safety (all functions): async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadSlot(const Layout& layout, const ObjectLayout& objects, const R& reader, uint64_t object,
              std::string_view name, uint64_t* value) {
  constexpr uint64_t kMaxInstance = 1 << 20;
  const uint64_t type = TypeOf(layout, reader, object);
  uint64_t dict = 0;
  uint64_t descriptor = 0;
  uint64_t member = 0;
  uint64_t offset = 0;
  // A member descriptor has its type, name and qualified name before the member's
  // definition; that has a name and a kind before the offset.
  return type != 0 && ReadValue(reader, type + objects.type_dict, &dict) &&
         FindInDict(layout, objects, reader, dict, name, &descriptor) &&
         ReadValue(reader, descriptor + objects.first_field + 24, &member) &&
         ReadValue(reader, member + 16, &offset) && offset <= kMaxInstance &&
         ReadValue(reader, object + offset, value);
}

template <MemoryReader R>
bool ReadOriginFrame(const Layout& layout, const ObjectLayout& objects, const R& reader,
                     uint64_t summary, OriginFrame* out) {
  uint64_t path = 0, function = 0, number = 0, line = 0;
  if (!ReadSlot(layout, objects, reader, summary, "filename", &path) ||
      !ReadSlot(layout, objects, reader, summary, "name", &function) ||
      !ReadSlot(layout, objects, reader, summary, "lineno", &number) ||
      !ReadInteger(layout, objects, reader, number, &line) || line > 0xffffffffu) {
    return false;
  }
  out->line = static_cast<uint32_t>(line);
  return ReadText(layout, reader, path, &out->path) &&
         ReadText(layout, reader, function, &out->function);
}

// The innermost frames of what has made `task`, outermost of them first; how many.
// 0 unless the program runs asyncio in debug mode.
template <MemoryReader R>
size_t ReadTaskOrigin(const Layout& layout, const AsyncioHandles& handles, const R& reader,
                      const Task& task, std::span<OriginFrame> out) {
  constexpr uint64_t kIsList = uint64_t{1} << 25;
  const ObjectLayout& objects = handles.objects;
  const bool native =
      IsSubtype(objects, reader, TypeOf(layout, reader, task.address), handles.task_type);
  uint64_t list = 0, flags = 0, length = 0, items = 0;
  if (!(native ? ReadValue(reader, task.address + handles.layout.origin, &list)
               : ReadAttribute(layout, objects, reader, task.address, "_source_traceback", &list)))
    return 0;
  const uint64_t type = TypeOf(layout, reader, list);
  if (type == 0 || !ReadValue(reader, type + objects.type_flags, &flags) ||
      (flags & kIsList) == 0 || !ReadValue(reader, list + objects.first_field, &length) ||
      !ReadValue(reader, list + objects.first_field + 8, &items)) {
    return 0;
  }
  const uint64_t count = length < out.size() ? length : out.size();
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t summary = 0;
    if (!ReadValue(reader, items + (length - count + i) * 8, &summary) ||
        !ReadOriginFrame(layout, objects, reader, summary, &out[i])) {
      return 0;
    }
  }
  return count;
}

}  // namespace pyrometer::cpython
