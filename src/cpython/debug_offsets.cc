// SPDX-License-Identifier: Apache-2.0
#include "cpython/debug_offsets.h"

#include <cstring>

#include "cpython/code_extent.h"
#include "cpython/frame_image.h"

namespace pyrometer::cpython {
namespace {

constexpr char kCookie[] = "xdebugpy";

// Takes offsets out of the table; one that lies outside its structure makes
// the whole table invalid.
class TableReader {
 public:
  explicit TableReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint64_t Entry(uint16_t position) {
    uint64_t value = 0;
    if (position % 8 != 0 || position + sizeof value > bytes_.size()) {
      valid_ = false;
    } else {
      std::memcpy(&value, bytes_.data() + position, sizeof value);
    }
    return value;
  }

  // The offset at `position` of a field of `width` bytes in a structure of
  // `size` bytes.
  uint32_t Offset(uint16_t position, uint64_t size, uint64_t width = 8) {
    const uint64_t offset = Entry(position);
    if (size > kMaxStruct || offset + width > size) valid_ = false;
    return static_cast<uint32_t>(offset);
  }

  bool valid() const { return valid_; }

 private:
  static constexpr uint64_t kMaxStruct = 16 << 20;

  std::span<const uint8_t> bytes_;
  bool valid_ = true;
};

void ReadStates(const DebugTable& table, const Supplement& more, TableReader* in, Layout* out) {
  out->runtime.interpreters_head =
      in->Offset(table.runtime_interpreters_head, in->Entry(table.runtime_size));

  const uint64_t size = in->Entry(table.interpreter_size);
  out->interpreter.id = in->Offset(table.interpreter_id, size);
  out->interpreter.next = in->Offset(table.interpreter_next, size);
  out->interpreter.threads_head = in->Offset(table.interpreter_threads_head, size);
  out->interpreter.gil = in->Offset(table.interpreter_gil, size);
  // The table counts from the interpreter's own GIL, embedded in it; a
  // subinterpreter may use another one.
  const uint32_t gil = in->Offset(table.interpreter_embedded_gil, size, more.gil_size);
  out->gil.size = more.gil_size;
  out->gil.enabled = more.gil_enabled;
  out->gil.locked = in->Offset(table.interpreter_gil_locked, size, 4) - gil;
  out->gil.last_holder = in->Offset(table.interpreter_gil_holder, size) - gil;

  const uint64_t thread = in->Entry(table.thread_size);
  out->thread.next = in->Offset(table.thread_next, thread);
  out->thread.interpreter = in->Offset(table.thread_interpreter, thread);
  out->thread.frame = in->Offset(table.thread_frame, thread);
  out->thread.thread_id = in->Offset(table.thread_thread_id, thread);
  out->thread.native_thread_id = in->Offset(table.thread_native_thread_id, thread);
  out->thread.datastack_chunk = in->Offset(table.thread_datastack_chunk, thread, 16);
  out->thread.datastack_top = out->thread.datastack_chunk + more.datastack_top_from_chunk;
  if (table.thread_base_frame != kNoEntry) {
    out->thread.base_frame = in->Offset(table.thread_base_frame, thread);
  }
}

void ReadFrames(const DebugTable& table, const Supplement& more, TableReader* in, Layout* out) {
  const uint64_t size = in->Entry(table.frame_size);
  out->frame.specials_size = in->Offset(table.frame_specials_size, size, 0);
  out->frame.previous = in->Offset(table.frame_previous, size);
  out->frame.code = in->Offset(table.frame_code, size);
  out->frame.instruction = in->Offset(table.frame_instruction, size);
  out->frame.owner = in->Offset(table.frame_owner, size, 1);
  out->frame.stack_top = table.frame_stack_top != kNoEntry
                             ? in->Offset(table.frame_stack_top, size)
                             : out->frame.instruction + more.stack_top_from_instruction;
  if (out->free_threaded && table.frame_tlbc_index != kNoEntry) {
    out->frame.tlbc_index = in->Offset(table.frame_tlbc_index, size, 4);
  }
}

void ReadCode(const DebugTable& table, const Supplement& more, TableReader* in, Layout* out) {
  const uint64_t size = in->Entry(table.code_size);
  out->code.filename = in->Offset(table.code_filename, size);
  out->code.name = in->Offset(table.code_name, size);
  out->code.qualname = in->Offset(table.code_qualname, size);
  out->code.line_table = in->Offset(table.code_line_table, size);
  out->code.first_line = in->Offset(table.code_first_line, size, 4);
  out->code.bytecode = in->Offset(table.code_bytecode, size, 1);
  out->code.stack_size = out->code.first_line + more.stack_size_from_first_line;
  out->code.local_count = out->code.first_line + more.local_count_from_first_line;
  out->code.frame_words = out->code.first_line + more.frame_words_from_first_line;
  out->code.first_traceable = out->code.bytecode + more.first_traceable_from_bytecode;
  if (out->free_threaded && table.code_tlbc != kNoEntry) {
    out->code.tlbc = in->Offset(table.code_tlbc, size);
  }
}

void ReadObjects(const DebugTable& table, const Supplement& more, TableReader* in, Layout* out) {
  constexpr uint64_t kMaxHeader = 4096;  // the table does not size these
  out->object.type = in->Offset(table.object_type, kMaxHeader);
  out->object.var_size = in->Offset(table.bytes_size, kMaxHeader);
  out->bytes.data = in->Offset(table.bytes_data, kMaxHeader);
  out->unicode.length = in->Offset(table.unicode_length, kMaxHeader);
  out->unicode.state = in->Offset(table.unicode_state, kMaxHeader, 4);
  out->unicode.ascii_size = in->Offset(table.unicode_ascii_size, kMaxHeader);
  out->unicode.compact_size = table.unicode_compact_size != kNoEntry
                                  ? in->Offset(table.unicode_compact_size, kMaxHeader)
                                  : more.unicode_compact_size;
  out->unicode.kind_shift = more.kind_shift;
  out->unicode.compact_shift = more.compact_shift;
  out->unicode.ascii_shift = more.ascii_shift;
  const bool tells = table.generator_frame != kNoEntry;
  out->generator.frame =
      tells ? in->Offset(table.generator_frame, kMaxHeader) : more.generator_frame;
  out->generator.state =
      tells ? in->Offset(table.generator_state, kMaxHeader, 1) : more.generator_state;
  out->generator.executing = more.generator_executing;
}

// The walk copies frames and code objects into images of fixed size.
bool FitsImages(const Layout& layout) {
  const auto in_frame = [&](uint32_t offset, uint32_t width) {
    return offset + width <= layout.frame.specials_size;
  };
  const auto in_code = [](uint32_t offset, uint32_t width) {
    return offset + width <= kCodeImageSize;
  };
  return layout.frame.specials_size <= kFrameImageSize && layout.frame.specials_size % 8 == 0 &&
         in_frame(layout.frame.previous, 8) && in_frame(layout.frame.code, 8) &&
         in_frame(layout.frame.instruction, 8) && in_frame(layout.frame.owner, 1) &&
         in_frame(layout.frame.stack_top, 8) && in_code(layout.object.type, 8) &&
         in_code(layout.object.var_size, 8) && in_code(layout.code.first_line, 4) &&
         in_code(layout.code.local_count, 4) && in_code(layout.code.frame_words, 4);
}

}  // namespace

bool LayoutFromTable(std::span<const uint8_t> bytes, uint32_t version_hex, Layout* out) {
  constexpr uint32_t kRelease = 0xf0;
  constexpr uint16_t kVersionEntry = 8;
  const uint16_t minor = version_hex >> 16 & 0xff;
  const DebugTable* table = FindDebugTable(minor);
  if (table == nullptr || bytes.size() < table->size || version_hex >> 24 != 3 ||
      (version_hex & kRelease) != kRelease ||
      std::memcmp(bytes.data(), kCookie, sizeof kCookie - 1) != 0) {
    return false;
  }
  TableReader in(bytes);
  if (in.Entry(kVersionEntry) != version_hex) return false;
  const bool free_threaded = in.Entry(table->free_threaded) != 0;
  const Supplement* more = FindSupplement(minor, free_threaded);
  if (more == nullptr) return false;
  *out = Layout();
  out->version_hex = version_hex;
  out->minor = minor;
  out->free_threaded = free_threaded;
  ReadStates(*table, *more, &in, out);
  ReadFrames(*table, *more, &in, out);
  ReadCode(*table, *more, &in, out);
  ReadObjects(*table, *more, &in, out);
  return in.valid() && FitsImages(*out);
}

}  // namespace pyrometer::cpython
