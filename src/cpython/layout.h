// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// Offset of a field that this interpreter does not have.
inline constexpr uint32_t kAbsent = 0xffffffff;

// Where one CPython build keeps what a profiler reads: byte offsets within the
// interpreter's structures, and the addresses of a few type objects. Offsets
// are the same for every process of that build; addresses are not, and stay 0
// (no check) until the owner fills them in.
//
// Trivially copyable and free of pointers: may live in shared memory and be
// used by another process. Thread-safety: immutable once filled.
// Signal-safety: plain data.
struct Layout {
  uint32_t version_hex = 0;  // as PY_VERSION_HEX
  uint16_t minor = 0;
  bool free_threaded = false;

  struct Runtime {
    uint32_t interpreters_head = kAbsent;
    uint32_t gil = kAbsent;  // 3.8-3.11: the one GIL, embedded
  } runtime;
  struct Interpreter {
    uint32_t next = kAbsent;
    uint32_t threads_head = kAbsent;
    uint32_t id = kAbsent;
    uint32_t gil = kAbsent;  // 3.12+: pointer to the GIL it uses
  } interpreter;
  struct Gil {
    uint32_t size = kAbsent;
    uint32_t locked = kAbsent;
    uint32_t last_holder = kAbsent;
    uint32_t enabled = kAbsent;  // free-threaded builds only
  } gil;
  struct Thread {
    uint32_t next = kAbsent;
    uint32_t interpreter = kAbsent;
    uint32_t frame = kAbsent;  // 3.8-3.10 frame object; 3.11-3.12 _PyCFrame; then current frame
    uint32_t thread_id = kAbsent;
    uint32_t native_thread_id = kAbsent;
    uint32_t datastack_chunk = kAbsent;
    uint32_t datastack_top = kAbsent;
    uint32_t root_cframe = kAbsent;      // 3.11-3.12: embedded, the last _PyCFrame
    uint32_t base_frame = kAbsent;       // 3.15+: sentinel below the root frame
    uint32_t exception_state = kAbsent;  // 3.11-3.12: the innermost _PyErr_StackItem
  } thread;
  struct CFrame {  // 3.11-3.12
    uint32_t current_frame = kAbsent;
    uint32_t previous = kAbsent;
  } cframe;
  struct Frame {
    uint32_t specials_size = kAbsent;  // bytes before the local variables
    uint32_t previous = kAbsent;
    uint32_t code = kAbsent;
    uint32_t instruction = kAbsent;  // f_lasti, prev_instr or instr_ptr
    uint32_t owner = kAbsent;        // 3.11+
    uint32_t is_entry = kAbsent;     // 3.11
    uint32_t stack_top = kAbsent;    // 3.11-3.13 index, later pointer
    uint32_t tlbc_index = kAbsent;   // free-threaded 3.14+
    uint32_t executing = kAbsent;    // 3.8-3.9 f_executing, 3.10 f_state
    uint32_t generator = kAbsent;    // 3.8-3.10: the generator that owns the frame
  } frame;
  struct Code {
    uint32_t filename = kAbsent;
    uint32_t name = kAbsent;
    uint32_t qualname = kAbsent;  // 3.11+
    uint32_t line_table = kAbsent;
    uint32_t first_line = kAbsent;
    uint32_t stack_size = kAbsent;
    uint32_t local_count = kAbsent;      // 3.11+: co_nlocalsplus
    uint32_t frame_words = kAbsent;      // 3.12+: co_framesize
    uint32_t first_traceable = kAbsent;  // 3.11+
    uint32_t bytecode = kAbsent;         // to 3.10 a bytes object, then embedded
    uint32_t tlbc = kAbsent;             // free-threaded 3.14+
  } code;
  struct Object {
    uint32_t type = kAbsent;
    uint32_t var_size = kAbsent;
  } object;
  struct Bytes {
    uint32_t data = kAbsent;
  } bytes;
  struct Unicode {
    uint32_t length = kAbsent;
    uint32_t state = kAbsent;
    uint32_t ascii_size = kAbsent;    // header size of a compact ASCII string
    uint32_t compact_size = kAbsent;  // of any other compact string
    uint8_t kind_shift = 0;           // bit positions within the 32-bit state
    uint8_t compact_shift = 0;
    uint8_t ascii_shift = 0;
  } unicode;
  struct Generator {
    uint32_t frame = kAbsent;  // embedded interpreter frame
    uint32_t state = kAbsent;
    int8_t executing = 0;                      // value of the state while the generator runs
    uint32_t exception_state = kAbsent;        // 3.11-3.12: its own, embedded
    uint32_t outer_exception_state = kAbsent;  // in that one: the next
  } generator;

  // Run-time addresses, 0 = unknown, not checked.
  uint64_t type_code = 0;
  uint64_t type_frame = 0;
  uint64_t type_generator = 0;
  uint64_t type_coroutine = 0;
  uint64_t type_async_generator = 0;
};
static_assert(std::is_trivially_copyable_v<Layout>);

// The layout of a released CPython 3.8 to 3.12, or nullptr. `version_hex` is
// PY_VERSION_HEX of the running interpreter; pre-releases are refused. Patch
// releases share a layout, whose own version_hex names only the minor version.
// For later versions see LayoutFromDebugOffsets.
const Layout* FindLayout(uint32_t version_hex);

}  // namespace pyrometer::cpython

#include "cpython/debug_offsets.h"  // IWYU pragma: export
