// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace pyrometer::cpython {

// Where the greenlets of one thread are (greenlet 2.0 and later, the library under
// gevent, eventlet and SQLAlchemy's asyncio). A greenlet is a Python object whose
// *body*, a C++ object, says which greenlet is its parent and where it stands. No
// header declares the body and it differs between versions of the library and of
// Python; the offsets are found at run time (greenlet_finder.h).
//
// Trivially copyable and free of pointers: also used by another process. Zeroed
// memory: not known.
struct GreenletThread {
  // The library's object for the thread. It begins with the thread's main greenlet
  // and its current one.
  uint64_t state;
  uint64_t main;           // the main greenlet, on which the thread began
  uint64_t library_begin;  // where the library is mapped; the virtual tables of bodies are there
  uint64_t library_end;
  // Offsets in a body.
  uint32_t self;           // the greenlet that it is the body of
  uint32_t stack_start;    // 0: not started, or finished
  uint32_t stack_stop;     // where its part of the C stack ends; all ones: the main greenlet
  uint32_t top_frame;      // frame object where it stands, 0 while it runs
  uint32_t thread_state;   // of the main greenlet: `state`
  uint32_t main_greenlet;  // of any other: `main`, 0 if not started
  uint32_t parent;         // of any other: the greenlet that goes on when it ends
  uint32_t reserved;

  bool known() const { return state != 0; }
};
static_assert(std::is_trivially_copyable_v<GreenletThread>);

}  // namespace pyrometer::cpython
