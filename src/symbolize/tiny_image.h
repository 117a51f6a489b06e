// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace pyrometer::symbolize {

// The ELF image with which a JIT describes one function, for tests: relocatable,
// with the address at which the function was loaded.
inline std::string TinyImage(uint64_t start, uint64_t size, const std::string& symbol) {
  const std::string names = std::string(1, '\0') + symbol + '\0';
  const std::string section_names("\0.text\0.symtab\0.strtab\0", 23);
  const std::string code(size, '\x90');
  Elf64_Sym symbols[2]{};
  symbols[1] = {.st_name = 1,
                .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                .st_other = 0,
                .st_shndx = 1,
                .st_value = 0,
                .st_size = size};
  const std::string table(reinterpret_cast<const char*>(symbols), sizeof symbols);

  std::string bytes(sizeof(Elf64_Ehdr), '\0');
  const auto add = [&](const std::string& part) {
    while (bytes.size() % 8 != 0) bytes += '\0';
    const uint64_t at = bytes.size();
    bytes += part;
    return at;
  };
  Elf64_Shdr sections[5]{};
  sections[1] = {1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, start, add(code), size, 0, 0, 16, 0};
  sections[2] = {7, SHT_SYMTAB, 0, 0, add(table), table.size(), 3, 1, 8, sizeof(Elf64_Sym)};
  sections[3] = {15, SHT_STRTAB, 0, 0, add(names), names.size(), 0, 0, 1, 0};
  sections[4] = {15, SHT_STRTAB, 0, 0, add(section_names), section_names.size(), 0, 0, 1, 0};
  const uint64_t place = add(std::string(reinterpret_cast<const char*>(sections), sizeof sections));

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
#if defined(__x86_64__)
  header.e_machine = EM_X86_64;
#else
  header.e_machine = EM_AARCH64;
#endif
  header.e_version = EV_CURRENT;
  header.e_shoff = place;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 5;
  header.e_shstrndx = 4;
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace pyrometer::symbolize
