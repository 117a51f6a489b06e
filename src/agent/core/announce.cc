// SPDX-License-Identifier: Apache-2.0
#include "agent/core/announce.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "agent/core/agent.h"
#include "agent/core/stack_switcher.h"
#include "transport/records.h"

// Absent before glibc 2.35.
extern "C" int _dl_find_object(void*, dl_find_object*) noexcept __attribute__((weak));

namespace pyrometer::agent {
namespace {

using transport::RecordType;
using transport::RingWriter;

constexpr uint32_t kMaxTextBytes = 4096;
constexpr uint32_t kMaxLineTableBytes = 256 * 1024;

uint64_t MixKey(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c159e3779b9u);
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 29;
  return x == 0 ? 1 : x;
}

bool DefineCode(const sigsafe::LocalReader& reader, uint32_t slot, uint64_t code,
                const cpython::CodeHead& head) {
  const cpython::Layout& layout = g_agent.interpreter.layout;
  cpython::TextView filename, qualname;
  cpython::BytesView lines;
  if (!cpython::ReadText(layout, reader, head.filename, &filename) ||
      !cpython::ReadText(layout, reader, head.qualname, &qualname) ||
      !cpython::ReadBytes(layout, reader, head.line_table, &lines))
    return false;
  const auto text_bytes = [](const cpython::TextView& text) {
    const uint64_t bytes = uint64_t{text.length} * text.kind;
    return static_cast<uint32_t>(bytes < kMaxTextBytes ? bytes : kMaxTextBytes / 4 * 4);
  };
  transport::CodeRecord record{};
  record.slot = slot;
  record.first_line = head.first_line;
  record.code = code;
  record.identity = head.Identity();
  record.filename_bytes = text_bytes(filename);
  record.qualname_bytes = text_bytes(qualname);
  record.filename_kind = filename.kind;
  record.qualname_kind = qualname.kind;
  record.line_table_bytes = lines.size < kMaxLineTableBytes ? lines.size : kMaxLineTableBytes;
  const uint32_t bytes = RingWriter::Aligned(sizeof record + record.filename_bytes +
                                             record.qualname_bytes + record.line_table_bytes);
  uint8_t* out = g_agent.ring.Reserve(bytes);
  if (out == nullptr) return false;
  uint8_t* p = out + sizeof record;
  bool complete = true;
  for (auto [data, size] : {std::pair{filename.data, record.filename_bytes},
                            std::pair{qualname.data, record.qualname_bytes},
                            std::pair{lines.data, record.line_table_bytes}}) {
    complete = complete && (size == 0 || reader.Read(data, p, size));
    p += size;
  }
  RingWriter::Fill(out, record);
  RingWriter::Commit(out, bytes, complete ? RecordType::kCode : RecordType::kPadding);
  return complete;
}

bool DefineModule(uint32_t slot, const dl_find_object& object) {
  const link_map* map = object.dlfo_link_map;
  const char* path = map == nullptr || map->l_name == nullptr || map->l_name[0] == '\0'
                         ? g_agent.executable
                         : map->l_name;
  g_agent.switches_stacks[slot].store(IsStackSwitcher(path), std::memory_order_relaxed);
  transport::ModuleRecord record{};
  record.slot = slot;
  record.start = reinterpret_cast<uint64_t>(object.dlfo_map_start);
  record.end = reinterpret_cast<uint64_t>(object.dlfo_map_end);
  record.bias = map == nullptr ? 0 : map->l_addr;
  const uint64_t runtime = g_agent.interpreter.runtime;
  record.is_runtime = runtime >= record.start && runtime < record.end ? 1 : 0;
  record.is_agent = g_agent.agent_start >= record.start && g_agent.agent_start < record.end ? 1 : 0;
  size_t length = 0;
  while (length < kMaxTextBytes && path[length] != '\0') ++length;
  record.path_bytes = static_cast<uint32_t>(length);
  const uint32_t bytes = RingWriter::Aligned(sizeof record + length);
  uint8_t* out = g_agent.ring.Reserve(bytes);
  if (out == nullptr) return false;
  RingWriter::Fill(out, record);
  std::memcpy(out + sizeof record, path, length);
  RingWriter::Commit(out, bytes, RecordType::kModule);
  return true;
}

}  // namespace

uint32_t AnnounceCode(const sigsafe::LocalReader& reader, uint64_t code, uint64_t* identity) {
  cpython::CodeHead head;
  if (!cpython::ReadCodeHead(g_agent.interpreter.layout, reader, code, &head))
    return transport::kNoCode;
  *identity = head.Identity();
  const uint32_t slot = g_agent.codes.Slot(MixKey(code, *identity));
  if (slot == AnnouncedTable<kCodeSlots>::kFull) {
    ++g_agent.ring.header()->counters.code_table_full;
    return transport::kNoCode;
  }
  if (!g_agent.codes.Announced(slot)) {
    if (!DefineCode(reader, slot, code, head)) return transport::kNoCode;
    g_agent.codes.SetAnnounced(slot);
  }
  return slot;
}

AnnouncedModule AnnounceModule(uint64_t pc) {
  AnnouncedModule module{0, 0, transport::kNoModule, false};
  dl_find_object object;
  auto* address = reinterpret_cast<void*>(pc);  // NOLINT(performance-no-int-to-ptr)
  if (&_dl_find_object == nullptr || _dl_find_object(address, &object) != 0) return module;
  const uint32_t slot =
      g_agent.modules.Slot(MixKey(reinterpret_cast<uint64_t>(object.dlfo_map_start),
                                  reinterpret_cast<uint64_t>(object.dlfo_link_map)));
  if (slot == AnnouncedTable<kModuleSlots>::kFull) return module;
  if (!g_agent.modules.Announced(slot)) {
    if (!DefineModule(slot, object)) return module;
    g_agent.modules.SetAnnounced(slot);
  }
  module.start = reinterpret_cast<uint64_t>(object.dlfo_map_start);
  module.end = reinterpret_cast<uint64_t>(object.dlfo_map_end);
  module.slot = slot;
  module.switches_stacks = g_agent.switches_stacks[slot].load(std::memory_order_relaxed);
  return module;
}

}  // namespace pyrometer::agent
