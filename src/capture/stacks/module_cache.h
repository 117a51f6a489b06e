// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "capture/stacks/stack_table.h"
#include "transport/records.h"

namespace pyrometer::capture {

// What a module is to the question "Python or native?".
enum class ModuleRole : uint8_t {
  kOther,    // an extension or any library: native
  kRuntime,  // holds the interpreter
  kSystem,   // libc and the like: works for whoever called it
  kAgent,    // ourselves: left out
};

// The loaded modules of one process, as the agent has announced them.
// Thread-safety: one owner.
class ModuleCache {
 public:
  explicit ModuleCache(StackTable& table) : table_(table) {}

  // A module record of the ring; false when it is not well-formed.
  bool Define(std::span<const uint8_t> record);
  ModuleRole RoleOf(uint32_t slot) const;
  // The frame of `pc`; `is_leaf`: pc is the interrupted instruction itself,
  // else a return address.
  format::FrameId FrameAt(uint32_t slot, uint64_t pc, bool is_leaf);

 private:
  struct Module {
    format::ModuleId id;
    ModuleRole role = ModuleRole::kOther;
    uint64_t bias = 0;
  };

  StackTable& table_;
  std::unordered_map<uint32_t, Module> modules_;
};

// Role by file name alone.
ModuleRole RoleOfPath(std::string_view path);

}  // namespace pyrometer::capture
