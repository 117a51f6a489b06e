// SPDX-License-Identifier: Apache-2.0
// The symbol file of a JIT, as it lies in the program's memory: whatever the bytes, each address
// has a name or none, and one that the image does not contain has none.
#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "symbolize/jit_image.h"

namespace {

// Where the sections of the image begin, lie and end, as it says itself.
std::vector<uint64_t> Addresses(const std::string& bytes) {
  std::vector<uint64_t> found{0, 0x1000};
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return found;
  std::memcpy(&header, bytes.data(), sizeof header);
  constexpr size_t kMost = 8;
  for (size_t i = 0; i < std::min<size_t>(header.e_shnum, kMost); ++i) {
    const uint64_t place = header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    if (place > bytes.size() || bytes.size() - place < sizeof section) break;
    std::memcpy(&section, bytes.data() + place, sizeof section);
    for (const uint64_t part : {uint64_t{0}, section.sh_size / 2, section.sh_size})
      found.push_back(section.sh_addr + part);
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto image = pyrometer::symbolize::JitImage::Parse(bytes);
  if (image == nullptr) return 0;
  for (const uint64_t pc : Addresses(bytes))
    if (!image->Lookup(pc).empty() && !image->Contains(pc)) std::abort();
  return 0;
}
