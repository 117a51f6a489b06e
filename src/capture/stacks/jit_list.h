// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "os/executable_maps.h"
#include "os/remote_memory.h"
#include "symbolize/jit_image.h"

namespace pyrometer::capture {

// What the JITs of a process (LLVM's among them, and with it numba) tell a
// debugger about their code: a list of ELF images for each library that has
// `__jit_debug_descriptor`. Read from outside while the process runs, which may
// change it meanwhile: bounded, and nothing in it is trusted.
//
// Thread-safety: one owner.
class JitList {
 public:
  explicit JitList(pid_t pid);

  // Reads the lists of the libraries in `maps` again. Returns what of the code
  // that was described before is no longer.
  std::vector<std::unique_ptr<symbolize::JitImage>> Update(std::span<const os::ExecutableMap> maps);
  // What is at `pc`, innermost first; empty: no image has it.
  std::vector<symbolize::SymbolLine> Lookup(uint64_t pc);

 private:
  using Key = std::tuple<uint64_t, uint64_t, uint64_t>;  // entry, image, its size
  using Images = std::map<Key, std::unique_ptr<symbolize::JitImage>>;

  void ReadList(uint64_t descriptor, Images& still);
  std::unique_ptr<symbolize::JitImage> ReadImage(uint64_t address, uint64_t size);

  pid_t pid_;
  os::RemoteMemory memory_;
  Images images_;             // null: of no use
  uint64_t image_bytes_ = 0;  // of all that are in use
};

}  // namespace pyrometer::capture
