// SPDX-License-Identifier: Apache-2.0
#include "unwind/frame_description.h"

#include "unwind/byte_cursor.h"
#include "unwind/dwarf_constants.h"

namespace pyrometer::unwind {
namespace {

// Far above the largest real function; keeps one hostile record from costing
// a whole module's worth of decoding inside a handler.
constexpr uint64_t kMaxProgramBytes = uint64_t{1} << 20;

struct SearchEntry {
  int32_t pc;  // both relative to .eh_frame_hdr
  int32_t fde;
};

struct SearchTable {
  uint64_t base = 0;  // .eh_frame_hdr
  uint64_t entries = 0;
  uint64_t count = 0;
};

bool OpenSearchTable(MemoryRef memory, const Module& module, SearchTable* table) {
  if (!module.Contains(module.eh_frame_hdr)) return false;
  ByteCursor cursor(memory, module.eh_frame_hdr, module.end);
  constexpr uint8_t kVersion = 1;
  constexpr uint8_t kTableEncoding = kPointerDataRelative | kPointerSdata4;
  const uint8_t version = cursor.Byte();
  const uint8_t eh_frame_encoding = cursor.Byte();
  const uint8_t count_encoding = cursor.Byte();
  const uint8_t table_encoding = cursor.Byte();
  if (version != kVersion || table_encoding != kTableEncoding ||
      count_encoding == kPointerOmitted) {
    return false;
  }
  if (eh_frame_encoding != kPointerOmitted) {
    cursor.EncodedPointer(eh_frame_encoding, module.eh_frame_hdr);
  }
  table->count = cursor.EncodedPointer(count_encoding, module.eh_frame_hdr);
  table->base = module.eh_frame_hdr;
  table->entries = cursor.position();
  return cursor.ok() && table->count > 0 &&
         table->count <= (module.end - table->entries) / sizeof(SearchEntry);
}

bool ReadEntry(MemoryRef memory, const SearchTable& table, uint64_t index, SearchEntry* entry) {
  return memory.ReadValue(table.entries + index * sizeof(*entry), entry);
}

uint64_t AddressOf(const SearchTable& table, int32_t relative) {
  return table.base + static_cast<uint64_t>(int64_t{relative});
}

// How many functions start at or before `pc`. 0 also when the table cannot be
// read.
uint64_t CountUpTo(MemoryRef memory, const SearchTable& table, uint64_t pc) {
  uint64_t low = 0;
  uint64_t high = table.count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    SearchEntry entry;
    if (!ReadEntry(memory, table, middle, &entry)) return 0;
    if (AddressOf(table, entry.pc) <= pc) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// A CIE or FDE without its length field.
struct Record {
  uint64_t begin = 0;
  uint64_t end = 0;
};

bool OpenRecord(MemoryRef memory, const Module& module, uint64_t address, Record* record) {
  if (!module.Contains(address)) return false;
  constexpr uint32_t kExtendedLength = 0xffffffff;
  ByteCursor cursor(memory, address, module.end);
  uint64_t length = cursor.Fixed<uint32_t>();
  if (length == kExtendedLength) length = cursor.Fixed<uint64_t>();
  if (!cursor.ok() || length == 0 || length > module.end - cursor.position()) return false;
  *record = {cursor.position(), cursor.position() + length};
  return true;
}

// Reads the augmentation data that `letters` (without the leading z) describe.
bool ReadAugmentation(ByteCursor& letters, ByteCursor& data, FrameDescription* description) {
  while (const uint8_t letter = letters.Byte()) {
    switch (letter) {
      case 'R':
        description->pointer_encoding = data.Byte();
        break;
      case 'L':
        data.Byte();
        break;
      case 'P': {
        // Only its length matters, which the low bits give.
        const uint8_t encoding = data.Byte();
        data.EncodedPointer(encoding & kPointerFormatMask, 0);
        break;
      }
      case 'S':
        description->is_signal_frame = true;
        break;
      case 'B':  // aarch64: return addresses are signed with the B key
      case 'G':  // aarch64: the stack is tagged
        break;
      default:
        return false;
    }
  }
  return letters.ok() && data.ok();
}

bool ReadCie(MemoryRef memory, const Record& record, FrameDescription* description) {
  ByteCursor cursor(memory, record.begin, record.end);
  if (cursor.Fixed<uint32_t>() != 0) return false;  // 0 is what makes it a CIE
  const uint8_t version = cursor.Byte();
  if (version != 1 && version != 3) return false;
  ByteCursor letters = cursor;
  while (cursor.Byte() != 0) {
  }
  description->code_align = cursor.Uleb();
  description->data_align = cursor.Sleb();
  description->return_address_register = version == 1 ? cursor.Byte() : cursor.Uleb();
  description->pointer_encoding = kPointerAbsolute;
  description->is_signal_frame = false;

  const uint8_t first_letter = letters.Byte();
  if (first_letter == 'z') {
    const uint64_t size = cursor.Uleb();
    ByteCursor data = cursor;
    cursor.Skip(size);
    if (!cursor.ok() || !ReadAugmentation(letters, data, description)) return false;
  } else if (first_letter != 0) {
    return false;
  }
  description->initial = {cursor.position(), record.end};
  return cursor.ok();
}

bool ReadFde(MemoryRef memory, const Module& module, uint64_t fde, FrameDescription* description) {
  Record record;
  if (!OpenRecord(memory, module, fde, &record)) return false;
  ByteCursor cursor(memory, record.begin, record.end);
  const uint64_t cie_distance = cursor.Fixed<uint32_t>();
  Record cie;
  if (!cursor.ok() || cie_distance == 0 ||
      !OpenRecord(memory, module, record.begin - cie_distance, &cie) ||
      !ReadCie(memory, cie, description)) {
    return false;
  }
  const uint8_t encoding = description->pointer_encoding;
  description->pc_begin = cursor.EncodedPointer(encoding, 0);
  description->pc_end =
      description->pc_begin + cursor.EncodedPointer(encoding & kPointerFormatMask, 0);
  // A z augmentation in the CIE gives its FDEs a sized block too.
  uint8_t first_letter = 0;
  constexpr uint64_t kIdAndVersionBytes = 5;
  if (!memory.ReadValue(cie.begin + kIdAndVersionBytes, &first_letter)) return false;
  if (first_letter == 'z') cursor.Skip(cursor.Uleb());
  description->function = {cursor.position(), record.end};
  return cursor.ok() && record.end - cursor.position() <= kMaxProgramBytes &&
         description->initial.end - description->initial.begin <= kMaxProgramBytes;
}

}  // namespace

bool FindFrameDescription(MemoryRef memory, const Module& module, uint64_t pc,
                          FrameDescription* description) {
  SearchTable table;
  if (!OpenSearchTable(memory, module, &table)) return false;
  SearchEntry entry;
  const uint64_t count = CountUpTo(memory, table, pc);
  return count > 0 && ReadEntry(memory, table, count - 1, &entry) &&
         ReadFde(memory, module, AddressOf(table, entry.fde), description) &&
         pc >= description->pc_begin && pc < description->pc_end;
}

}  // namespace pyrometer::unwind
