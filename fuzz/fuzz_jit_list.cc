// SPDX-License-Identifier: Apache-2.0
// The list of a JIT's symbol files in the memory of a program, which is this process. The input
// is that memory, twice: as it is at the first look and at the second. It begins with the
// descriptor; numbers below its size that stand for addresses are made addresses in it.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "capture/stacks/jit_list.h"

extern "C" {
// As GDB's JIT interface has it.
struct JitDescriptor {
  uint32_t version;
  uint32_t action;
  uint64_t relevant;
  uint64_t first;
};
__attribute__((used, visibility("default"))) JitDescriptor __jit_debug_descriptor = {};
}

namespace {

constexpr size_t kMemoryBytes = 1 << 14;
alignas(16) uint8_t g_memory[kMemoryBytes];

// Every aligned word of the list that is an offset becomes the address there: its links, and
// where images are. A size stays one where it is odd.
void Relocate() {
  const auto base = reinterpret_cast<uint64_t>(g_memory);
  constexpr size_t kListBytes = 512;
  for (size_t at = 0; at < kListBytes; at += 8) {
    uint64_t word;
    std::memcpy(&word, g_memory + at, sizeof word);
    if (word == 0 || word >= kMemoryBytes || word % 8 != 0) continue;
    word += base;
    std::memcpy(g_memory + at, &word, sizeof word);
  }
}

void Fill(const uint8_t* data, size_t size) {
  std::memset(g_memory, 0, sizeof g_memory);
  std::memcpy(g_memory, data, std::min(size, sizeof g_memory));
  Relocate();
  std::memcpy(&__jit_debug_descriptor, g_memory, sizeof __jit_debug_descriptor);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using pyrometer::capture::JitList;
  static const std::vector<pyrometer::os::ExecutableMap> maps =
      pyrometer::os::ReadExecutableMaps(getpid());
  JitList list(getpid());
  const size_t half = size / 2;
  for (const auto& [begin, bytes] : {std::pair{data, half}, std::pair{data + half, size - half}}) {
    Fill(begin, bytes);
    for (const auto& image : list.Update(maps))
      if (image == nullptr) std::abort();
    for (const uint64_t pc : {uint64_t{0}, uint64_t{0x1000}, uint64_t{0x7f0000001000}})
      list.Lookup(pc);
  }
  return 0;
}
