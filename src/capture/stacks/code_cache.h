// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "capture/stacks/stack_table.h"
#include "cpython/layout.h"
#include "cpython/line_table.h"
#include "cpython/memory_reader.h"
#include "transport/records.h"

namespace pyrometer::capture {

// The code objects of one process: from their line tables come the lines of
// frames. Filled by the agent's code records, and by looking into the process
// for frames that were seen from outside. The end of a loop that has no line of
// its own counts for the line where the loop begins.
//
// Thread-safety: one owner.
class CodeCache {
 public:
  CodeCache(pid_t pid, StackTable& table, const cpython::Layout& layout);

  // A code record of the ring; false when it is not well-formed.
  bool Define(std::span<const uint8_t> record);
  // The frame of an instruction in the code of `slot`.
  format::FrameId FrameAt(uint32_t slot, uint32_t instruction);
  // Notes that the code of `slot` was innermost in a sample.
  void CountLeaf(uint32_t slot) {
    if (const auto it = by_slot_.find(slot); it != by_slot_.end()) table_.CountLeaf(it->second->id);
  }
  // The same as FrameAt for the code object at `address` of the process, read through
  // `reader`. Empty when there is none.
  template <cpython::MemoryReader R>
  std::optional<format::FrameId> FrameOf(const R& reader, uint64_t address, uint32_t instruction);
  // The code object of `slot`, and that at `address`.
  std::optional<format::CodeId> CodeAt(uint32_t slot) const;
  template <cpython::MemoryReader R>
  std::optional<format::CodeId> CodeOf(const R& reader, uint64_t address);

 private:
  using Identity = std::pair<uint64_t, uint64_t>;  // address, identity of its content
  struct Code {
    format::CodeId id;
    Identity identity;
    int first_line = 0;
    std::vector<uint8_t> line_table;
    std::unordered_map<uint32_t, format::FrameId> frames;  // by instruction
  };

  // The code object at `address`; nullptr when there is none.
  template <cpython::MemoryReader R>
  Code* Find(const R& reader, uint64_t address);
  format::FrameId Frame(Code& code, uint32_t instruction);
  // 0: it has none.
  uint32_t LineOf(const Code& code, uint32_t instruction) const;
  std::optional<uint32_t> FindLoopStart(const Code& code, uint32_t instruction) const;
  Code& Add(Identity identity, std::span<const uint8_t> filename, uint8_t filename_kind,
            std::span<const uint8_t> qualname, uint8_t qualname_kind,
            std::span<const uint8_t> lines, int first_line);

  pid_t pid_;
  StackTable& table_;
  const cpython::Layout& layout_;
  cpython::LineTableKind kind_;
  std::map<Identity, Code> codes_;
  std::unordered_map<uint32_t, Code*> by_slot_;
};

}  // namespace pyrometer::capture

#include "capture/stacks/code_cache_impl.h"  // IWYU pragma: keep
