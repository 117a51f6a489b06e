// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "cpython/layout.h"

namespace pyrometer::cpython {

// Where one CPython build keeps the insides of dictionaries, sets, instances
// and generators: what a reader of whole objects needs beyond the Layout of a
// stack walk. Apart from Layout, so that the agent does not carry it. Generated;
// kAbsent marks what a version does not have.
//
// Thread-safety: immutable. Signal-safety: plain data.
struct ObjectLayout {
  uint16_t minor = 0;
  bool free_threaded = false;

  uint32_t interpreter_modules = kAbsent;  // to 3.12: sys.modules of an interpreter
  uint32_t modules_entry = kAbsent;        // 3.13+: entry of the offsets table that tells it
  uint32_t first_field = kAbsent;          // size of an object header

  uint32_t dict_keys = kAbsent;
  uint32_t dict_values = kAbsent;     // not null: a split table
  uint32_t keys_size = kAbsent;       // to 3.10: slots of the hash table
  uint32_t keys_log2_size = kAbsent;  // then its logarithm
  uint32_t keys_log2_index_bytes = kAbsent;
  uint32_t keys_kind = kAbsent;  // 0: entries carry a hash
  uint32_t keys_entry_count = kAbsent;
  uint32_t keys_indices = kAbsent;
  uint32_t set_mask = kAbsent;
  uint32_t set_table = kAbsent;
  uint32_t weakref_object = kAbsent;
  uint32_t integer_digits = kAbsent;

  uint32_t type_name = kAbsent;
  uint32_t type_base = kAbsent;
  uint32_t type_flags = kAbsent;
  uint32_t type_iter_next = kAbsent;  // the function of an iterator
  uint32_t type_basic_size = kAbsent;
  uint32_t type_dict = kAbsent;  // what the class itself defines
  uint32_t type_dict_offset = kAbsent;
  uint32_t type_cached_keys = kAbsent;
  uint32_t managed_dict = kAbsent;    // 3.11+: bytes before the instance
  uint32_t managed_values = kAbsent;  // 3.11: likewise
  uint32_t values_valid = kAbsent;    // 3.13+: inline values are in use
  uint32_t values_first = kAbsent;

  uint32_t generator_frame = kAbsent;    // to 3.10: its frame object
  uint32_t frame_stack = kAbsent;        // to 3.9 the stack's top, 3.10 its bottom
  uint32_t frame_stack_depth = kAbsent;  // 3.10
  uint32_t delegate_depth = kAbsent;     // place of what a frame awaits, 1 = top of its stack
  int32_t state_created = 0;             // 3.11+: values of a generator's state
  int32_t state_suspended = 0;
  int32_t state_executing = 0;
  int32_t state_delegating = 0;     // 3.13+: suspended in an await or yield from
  uint32_t delegating_opcode = 0;   // to 3.12: the next instruction of such a frame
  uint32_t delegating_variant = 0;  // its other form, else the same
  uint32_t loop_jump_opcode = 0;    // 3.10 to 3.12: jumps back to where a loop begins
  uint32_t loop_jump_variant = 0;   // its other form, else the same
  uint32_t extended_arg_opcode = 0;
  uint32_t extended_arg_variant = 0;  // its other form, else the same
};
static_assert(std::is_trivially_copyable_v<ObjectLayout>);

// The layout for a build, or nullptr when it is not known.
const ObjectLayout* FindObjectLayout(uint16_t minor, bool free_threaded);

}  // namespace pyrometer::cpython
