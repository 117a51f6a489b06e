// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbol_table.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace pyrometer::symbolize {
namespace {

size_t LeadingUnderscores(const char* name) { return std::strspn(name, "_"); }

// Ends of executable sections, asked for once per section.
class SectionEnds {
 public:
  // 0 when `index` is not a section of code.
  uint64_t Of(Elf* elf, GElf_Word index) {
    const auto [it, is_new] = ends_.try_emplace({elf, index}, 0);
    if (is_new) {
      GElf_Shdr header;
      Elf_Scn* section = elf != nullptr ? elf_getscn(elf, index) : nullptr;
      if (section != nullptr && gelf_getshdr(section, &header) != nullptr &&
          (header.sh_flags & SHF_EXECINSTR) != 0) {
        it->second = header.sh_addr + header.sh_size;
      }
    }
    return it->second;
  }

 private:
  std::map<std::pair<Elf*, GElf_Word>, uint64_t> ends_;
};

}  // namespace

SymbolTable::SymbolTable(Dwfl_Module* module, uint64_t bias) {
  SectionEnds section_ends;
  const int count = dwfl_module_getsymtab(module);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address;
    GElf_Word section;
    Elf* elf;
    Dwarf_Addr elf_bias;
    const char* name =
        dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf, &elf_bias);
    if (name == nullptr || name[0] == 0 || section == SHN_UNDEF || section >= SHN_LORESERVE) {
      continue;
    }
    const uint64_t section_end = section_ends.Of(elf, section);
    if (section_end != 0) Add(symbol, address - bias, name, section_end + elf_bias - bias);
  }
  Sort();
}

void SymbolTable::Add(const GElf_Sym& symbol, uint64_t address, const char* name,
                      uint64_t section_end) {
  const unsigned type = GELF_ST_TYPE(symbol.st_info);
  const bool is_label = type == STT_NOTYPE;
  if (type != STT_FUNC && type != STT_GNU_IFUNC && !is_label) return;
  // Compilers' local labels and ARM's mapping symbols name no function.
  if (is_label && (name[0] == '$' || name[0] == '.')) return;
  if (address >= section_end) return;
  const unsigned binding = GELF_ST_BIND(symbol.st_info);
  Function function{
      .start = address, .end = section_end, .sized = symbol.st_size != 0, .rank = 0, .name = name};
  if (function.sized)
    function.end = address + std::min<uint64_t>(symbol.st_size, section_end - address);
  function.rank = static_cast<uint8_t>((is_label ? 4 : 0) + (function.sized ? 0 : 2) +
                                       (binding == STB_LOCAL ? 1 : 0));
  functions_.push_back(function);
}

// A function has many names (malloc, __libc_malloc, __malloc): the one that
// people write is the plainest.
bool SymbolTable::IsBetterName(const Function& a, const Function& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  const size_t a_underscores = LeadingUnderscores(a.name);
  const size_t b_underscores = LeadingUnderscores(b.name);
  if (a_underscores != b_underscores) return a_underscores < b_underscores;
  const size_t a_length = std::strlen(a.name);
  const size_t b_length = std::strlen(b.name);
  if (a_length != b_length) return a_length < b_length;
  return std::strcmp(a.name, b.name) < 0;
}

void SymbolTable::Sort() {
  std::sort(functions_.begin(), functions_.end(), [](const Function& a, const Function& b) {
    return a.start != b.start ? a.start < b.start : IsBetterName(a, b);
  });
  const auto same_start = [](const Function& a, const Function& b) { return a.start == b.start; };
  functions_.erase(std::unique(functions_.begin(), functions_.end(), same_start), functions_.end());
  // A label inside a sized function is a place in it, not a function.
  uint64_t sized_end = 0;
  std::erase_if(functions_, [&](const Function& function) {
    if (!function.sized) return function.start < sized_end;
    sized_end = std::max(sized_end, function.end);
    return false;
  });
}

const char* SymbolTable::Find(uint64_t address) const {
  auto it = std::upper_bound(functions_.begin(), functions_.end(), address,
                             [](uint64_t value, const Function& f) { return value < f.start; });
  // A small function may lie inside a larger one's extent: look a little back.
  constexpr int kMaxBack = 16;
  for (int i = 0; i < kMaxBack && it != functions_.begin(); ++i) {
    --it;
    if (address < it->end && (it->sized || i == 0)) return it->name;
  }
  return nullptr;
}

}  // namespace pyrometer::symbolize
