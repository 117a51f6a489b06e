// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/code_cache.h"

#include <cstring>

#include "cpython/loop_jump.h"
#include "cpython/text.h"
#include "os/remote_memory.h"

namespace pyrometer::capture {

CodeCache::CodeCache(pid_t pid, StackTable& table, const cpython::Layout& layout)
    : pid_(pid), table_(table), layout_(layout), kind_(cpython::LineTableFor(layout)) {}

bool CodeCache::Define(std::span<const uint8_t> bytes) {
  transport::CodeRecord record;
  if (bytes.size() < sizeof record) return false;
  std::memcpy(&record, bytes.data(), sizeof record);
  const auto kind_ok = [](uint8_t kind) { return kind == 1 || kind == 2 || kind == 4; };
  const uint64_t text =
      uint64_t{record.filename_bytes} + record.qualname_bytes + record.line_table_bytes;
  if (text > bytes.size() - sizeof record || !kind_ok(record.filename_kind) ||
      !kind_ok(record.qualname_kind))
    return false;
  std::span<const uint8_t> rest = bytes.subspan(sizeof record);
  const auto take = [&rest](uint32_t size) {
    const auto part = rest.first(size);
    rest = rest.subspan(size);
    return part;
  };
  const auto filename = take(record.filename_bytes);
  const auto qualname = take(record.qualname_bytes);
  const auto lines = take(record.line_table_bytes);
  by_slot_[record.slot] = &Add({record.code, record.identity}, filename, record.filename_kind,
                               qualname, record.qualname_kind, lines, record.first_line);
  return true;
}

CodeCache::Code& CodeCache::Add(Identity identity, std::span<const uint8_t> filename,
                                uint8_t filename_kind, std::span<const uint8_t> qualname,
                                uint8_t qualname_kind, std::span<const uint8_t> lines,
                                int first_line) {
  const auto [it, fresh] = codes_.try_emplace(identity);
  Code& code = it->second;
  if (!fresh) return code;
  code.id = table_.Code(cpython::ToUtf8(filename, filename_kind),
                        cpython::ToUtf8(qualname, qualname_kind),
                        first_line > 0 ? static_cast<uint32_t>(first_line) : 0);
  code.identity = identity;
  code.first_line = first_line;
  code.line_table.assign(lines.begin(), lines.end());
  return code;
}

format::FrameId CodeCache::FrameAt(uint32_t slot, uint32_t instruction) {
  const auto it = by_slot_.find(slot);
  if (it == by_slot_.end()) return table_.SpecialFrame("<unknown Python function>");
  return Frame(*it->second, instruction);
}

std::optional<format::CodeId> CodeCache::CodeAt(uint32_t slot) const {
  const auto it = by_slot_.find(slot);
  return it == by_slot_.end() ? std::nullopt : std::optional(it->second->id);
}

format::FrameId CodeCache::Frame(Code& code, uint32_t instruction) {
  const auto [it, fresh] = code.frames.try_emplace(instruction);
  if (fresh) it->second = table_.PythonFrame(code.id, LineOf(code, instruction));
  return it->second;
}

uint32_t CodeCache::LineOf(const Code& code, uint32_t instruction) const {
  const auto line = [&](uint32_t at) {
    return cpython::PositionAt(kind_, code.line_table, code.first_line, at).line;
  };
  int found = line(instruction);
  if (found <= 0)
    if (const auto start = FindLoopStart(code, instruction)) found = line(*start);
  return found > 0 ? static_cast<uint32_t>(found) : 0;
}

std::optional<uint32_t> CodeCache::FindLoopStart(const Code& code, uint32_t instruction) const {
  const auto* objects = cpython::FindObjectLayout(layout_.minor, layout_.free_threaded);
  if (objects == nullptr || objects->loop_jump_opcode == 0) return {};
  const os::RemoteMemory memory(pid_);
  const auto [address, identity] = code.identity;
  cpython::CodeHead head;
  if (!cpython::ReadCodeHead(layout_, memory, address, &head) || head.Identity() != identity)
    return {};
  return cpython::FindLoopStart(*objects, memory, head, instruction);
}

}  // namespace pyrometer::capture
