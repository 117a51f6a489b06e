// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pyrometer::os {

// A program or library as it lies in the memory of a process: its exported symbols, found by the
// hash tables that the dynamic linker uses. Needs no file. `Reader` copies memory of that process
// and says false for what cannot be read (RemoteMemory). Nothing of what is read is trusted; what
// is damaged has no symbols.
//
// Signal-safety: async-signal-safe if the reader is.
template <class Reader>
class ElfModule {
 public:
  struct Symbol {
    uint64_t address = 0;  // 0: not found
    uint64_t size = 0;
  };

  // `base`: where the file's first byte is mapped.
  ElfModule(const Reader& reader, uint64_t base) : reader_(reader), base_(base) {
    Elf64_Ehdr header;
    if (!reader_.Read(base, &header, sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
      return;
    uint64_t dynamic = 0, dynamic_bytes = 0;
    bool has_bias = false;
    for (size_t i = 0; i < header.e_phnum && i < kMaxSegments; ++i) {
      Elf64_Phdr segment;
      if (!reader_.Read(base + header.e_phoff + i * sizeof segment, &segment, sizeof segment))
        return;
      if (segment.p_type == PT_LOAD && segment.p_offset == 0 && !has_bias) {
        bias_ = base - segment.p_vaddr;
        has_bias = true;
      }
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0) {
        writable_begin_ = segment.p_vaddr;
        writable_end_ = segment.p_vaddr + segment.p_memsz;
      }
      if (segment.p_type == PT_DYNAMIC) {
        dynamic = segment.p_vaddr;
        dynamic_bytes = segment.p_memsz;
      }
    }
    if (!has_bias || dynamic == 0) return;
    writable_begin_ += bias_;
    writable_end_ += bias_;
    ReadDynamic(dynamic + bias_, dynamic_bytes / sizeof(Elf64_Dyn));
  }

  Symbol Find(const char* name) const {
    if (symbols_ == 0 || names_ == 0) return {};
    return gnu_hash_ != 0 ? FindByGnuHash(name) : hash_ != 0 ? FindByHash(name) : Symbol{};
  }

  // Its variables, [begin, end); the last segment of them.
  uint64_t writable_begin() const { return writable_begin_; }
  uint64_t writable_end() const { return writable_end_; }

 private:
  static constexpr size_t kMaxSegments = 64;
  static constexpr size_t kMaxEntries = 512;
  static constexpr uint32_t kMaxChain = 1 << 16;

  void ReadDynamic(uint64_t at, size_t entries) {
    for (size_t i = 0; i < entries && i < kMaxEntries; ++i) {
      Elf64_Dyn entry;
      if (!reader_.Read(at + i * sizeof entry, &entry, sizeof entry) || entry.d_tag == DT_NULL)
        return;
      if (entry.d_tag == DT_SYMTAB) symbols_ = Absolute(entry.d_un.d_ptr);
      if (entry.d_tag == DT_STRTAB) names_ = Absolute(entry.d_un.d_ptr);
      if (entry.d_tag == DT_GNU_HASH) gnu_hash_ = Absolute(entry.d_un.d_ptr);
      if (entry.d_tag == DT_HASH) hash_ = Absolute(entry.d_un.d_ptr);
    }
  }

  // glibc's dynamic linker has added the bias where it may write; others leave the table alone.
  uint64_t Absolute(uint64_t pointer) const { return pointer < base_ ? pointer + bias_ : pointer; }

  template <class T>
  bool ReadAt(uint64_t address, T* out) const {
    return reader_.Read(address, out, sizeof *out);
  }

  bool IsNamed(const Elf64_Sym& symbol, const char* name) const {
    char part[64];
    size_t done = 0;
    const size_t length = std::strlen(name) + 1;  // with its end
    while (done < length) {
      const size_t size = length - done < sizeof part ? length - done : sizeof part;
      if (!reader_.Read(names_ + symbol.st_name + done, part, size) ||
          std::memcmp(part, name + done, size) != 0)
        return false;
      done += size;
    }
    return true;
  }

  // True: it is this one, or there is an end to it.
  bool Look(uint32_t index, const char* name, Symbol* found) const {
    Elf64_Sym symbol;
    if (!ReadAt(symbols_ + uint64_t{index} * sizeof symbol, &symbol)) return true;
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0 || !IsNamed(symbol, name))
      return false;
    *found = {symbol.st_value + bias_, symbol.st_size};
    return true;
  }

  Symbol FindByGnuHash(const char* name) const {
    struct {
      uint32_t buckets, first, bloom_words, bloom_shift;
    } table;
    if (!ReadAt(gnu_hash_, &table) || table.buckets == 0) return {};
    uint32_t hash = 5381;
    for (const char* c = name; *c != '\0'; ++c) hash = hash * 33 + static_cast<uint8_t>(*c);
    const uint64_t buckets = gnu_hash_ + sizeof table + uint64_t{table.bloom_words} * 8;
    const uint64_t chains = buckets + uint64_t{table.buckets} * 4;
    uint32_t index = 0;
    if (!ReadAt(buckets + uint64_t{hash % table.buckets} * 4, &index) || index < table.first)
      return {};
    Symbol found;
    for (uint32_t i = 0; i < kMaxChain; ++i, ++index) {
      uint32_t link = 0;
      if (!ReadAt(chains + uint64_t{index - table.first} * 4, &link)) break;
      if ((link | 1) == (hash | 1) && Look(index, name, &found)) break;
      if ((link & 1) != 0) break;
    }
    return found;
  }

  Symbol FindByHash(const char* name) const {
    struct {
      uint32_t buckets, chains;
    } table;
    if (!ReadAt(hash_, &table) || table.buckets == 0) return {};
    uint32_t hash = 0;
    for (const char* c = name; *c != '\0'; ++c) {
      hash = (hash << 4) + static_cast<uint8_t>(*c);
      const uint32_t high = hash & 0xf0000000;
      hash = (hash ^ high >> 24) & ~high;
    }
    const uint64_t buckets = hash_ + sizeof table;
    const uint64_t chains = buckets + uint64_t{table.buckets} * 4;
    uint32_t index = 0;
    Symbol found;
    if (!ReadAt(buckets + uint64_t{hash % table.buckets} * 4, &index)) return found;
    for (uint32_t i = 0; i < kMaxChain && index != STN_UNDEF && index < table.chains; ++i)
      if (Look(index, name, &found) || !ReadAt(chains + uint64_t{index} * 4, &index)) break;
    return found;
  }

  const Reader& reader_;
  uint64_t base_;
  uint64_t bias_ = 0;
  uint64_t symbols_ = 0, names_ = 0, gnu_hash_ = 0, hash_ = 0;
  uint64_t writable_begin_ = 0, writable_end_ = 0;
};

}  // namespace pyrometer::os
