// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "cpython/instance.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// What an object that somebody awaits is to the walk.
struct Awaitable {
  enum Kind : uint8_t {
    kGenerator,  // has a frame: generator, coroutine, asynchronous generator
    kEnd,        // future, task, or an iterator that tells nothing more
    kOther,      // an object that nobody can await
    kTorn,
  };
  Kind kind = kTorn;
  uint64_t object = 0;
};

// The name in the type object at `type`, cut to `room` characters; "" when
// unreadable. `*is_static`: no class of the program, which may have any name.
template <MemoryReader R, size_t room>
std::string_view TypeName(const ObjectLayout& objects, const R& reader, uint64_t type,
                          char (&text)[room], bool* is_static) {
  constexpr uint64_t kHeapType = 1 << 9;
  uint64_t flags = 0;
  uint64_t name = 0;
  if (!ReadValue(reader, type + objects.type_flags, &flags) ||
      !ReadValue(reader, type + objects.type_name, &name) || !reader.Read(name, text, room)) {
    return {};
  }
  *is_static = (flags & kHeapType) == 0;
  size_t length = 0;
  while (length < room && text[length] != 0) ++length;
  return {text, length};
}

// Follows wrappers from `object` to what is behind them: the iterators that
// await makes of coroutines and futures, and the steps of asynchronous
// generators. All keep what they wrap in their first field.
//
// What a frame awaits is always an iterator. A frame that is read at another instant than
// the object that it awaits may find anything where that was: another object, or none.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
Awaitable Unwrap(const Layout& layout, const ObjectLayout& objects, const R& reader,
                 uint64_t object) {
  constexpr int kMaxWrappers = 8;
  constexpr size_t kNameRoom = 32;
  for (int i = 0; i < kMaxWrappers; ++i) {
    const uint64_t type = TypeOf(layout, reader, object);
    if (type == 0) return {};
    if (type == layout.type_coroutine || type == layout.type_generator ||
        type == layout.type_async_generator) {
      return {Awaitable::kGenerator, object};
    }
    char text[kNameRoom];
    bool is_static = false;
    const std::string_view name = TypeName(objects, reader, type, text, &is_static);
    if (name == "_asyncio.FutureIter") {
      uint64_t future = 0;
      if (!ReadValue(reader, object + objects.first_field, &future)) return {};
      return {Awaitable::kEnd, future};
    }
    if (!IsType(layout, objects, reader, type)) return {};
    uint64_t next = 0;
    if (!ReadValue(reader, type + objects.type_iter_next, &next)) return {};
    const Awaitable end = {next != 0 ? Awaitable::kEnd : Awaitable::kOther, object};
    if (!is_static) return end;
    if (name == "coroutine" || name == "generator" || name == "async_generator") {
      return {Awaitable::kGenerator, object};
    }
    if (name != "coroutine_wrapper" && name != "async_generator_asend" &&
        name != "async_generator_athrow" && name != "anext_awaitable") {
      return end;
    }
    if (!ReadValue(reader, object + objects.first_field, &object)) return {};
  }
  return {};
}

}  // namespace pyrometer::cpython
