// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pyrometer::cpython {

inline constexpr uint16_t kNoEntry = 0xffff;

// The shape of the offsets table that one minor version of CPython publishes
// in its runtime structure: the position of each entry, in bytes from the
// table's start. The shape is fixed within a minor version, the offsets that
// it holds are not.
struct DebugTable {
  uint16_t minor;
  uint16_t size;
  uint16_t free_threaded;
  uint16_t runtime_size;
  uint16_t runtime_interpreters_head;
  uint16_t interpreter_size;
  uint16_t interpreter_id;
  uint16_t interpreter_next;
  uint16_t interpreter_threads_head;
  uint16_t interpreter_gil;
  uint16_t interpreter_embedded_gil;
  uint16_t interpreter_gil_locked;
  uint16_t interpreter_gil_holder;
  uint16_t thread_size;
  uint16_t thread_next;
  uint16_t thread_interpreter;
  uint16_t thread_frame;
  uint16_t thread_thread_id;
  uint16_t thread_native_thread_id;
  uint16_t thread_datastack_chunk;
  uint16_t thread_base_frame = kNoEntry;
  uint16_t frame_size;
  uint16_t frame_previous;
  uint16_t frame_code;
  uint16_t frame_instruction;
  uint16_t frame_specials_size;
  uint16_t frame_owner;
  uint16_t frame_stack_top = kNoEntry;
  uint16_t frame_tlbc_index = kNoEntry;
  uint16_t code_size;
  uint16_t code_filename;
  uint16_t code_name;
  uint16_t code_qualname;
  uint16_t code_line_table;
  uint16_t code_first_line;
  uint16_t code_bytecode;
  uint16_t code_tlbc = kNoEntry;
  uint16_t object_type;
  uint16_t bytes_size;
  uint16_t bytes_data;
  uint16_t unicode_state;
  uint16_t unicode_length;
  uint16_t unicode_ascii_size;
  uint16_t unicode_compact_size = kNoEntry;
  uint16_t generator_frame = kNoEntry;
  uint16_t generator_state = kNoEntry;
};

// What a walk needs and the table does not tell, per minor version and build:
// distances to entries of the table, and sizes.
struct Supplement {
  uint16_t minor;
  bool free_threaded;
  int32_t datastack_top_from_chunk;
  int32_t stack_top_from_instruction;
  int32_t stack_size_from_first_line;
  int32_t local_count_from_first_line;
  int32_t frame_words_from_first_line;
  int32_t first_traceable_from_bytecode;
  uint32_t gil_size;
  uint32_t gil_enabled;
  uint32_t generator_frame;
  uint32_t generator_state;
  int8_t generator_executing;
  uint32_t unicode_compact_size;
  uint8_t kind_shift;
  uint8_t compact_shift;
  uint8_t ascii_shift;
};

// nullptr when the version is not known.
const DebugTable* FindDebugTable(uint16_t minor);
const Supplement* FindSupplement(uint16_t minor, bool free_threaded);

}  // namespace pyrometer::cpython
