// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jit_image.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/scoped_fd.h"
#include "base/source_language.h"
#include "symbolize/elf_module.h"
#include "symbolize/numba_name.h"

namespace pyrometer::symbolize {
namespace {

template <class T>
bool ReadAt(const std::string& bytes, uint64_t offset, T* value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(value, bytes.data() + offset, sizeof(T));
  return true;
}

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#else
constexpr uint16_t kMachine = EM_AARCH64;
#endif

bool IsOfThisMachine(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_machine == kMachine && header.e_shentsize == sizeof(Elf64_Shdr);
}

bool WriteAll(int fd, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

struct ElfEnder {
  void operator()(Elf* elf) const { elf_end(elf); }
};

// The value of the symbol `name` in one symbol table.
std::optional<uint64_t> ValueIn(Elf* elf, Elf_Scn* section, const GElf_Shdr& header,
                                const std::string& name) {
  Elf_Data* data = elf_getdata(section, nullptr);
  Elf_Scn* names = elf_getscn(elf, header.sh_link);
  Elf_Data* text = names == nullptr ? nullptr : elf_getdata(names, nullptr);
  if (data == nullptr || text == nullptr || text->d_buf == nullptr || header.sh_entsize == 0)
    return std::nullopt;
  // Few libraries have it: the names are searched before the symbols are.
  const std::string wanted = name + '\0';
  const auto* begin = static_cast<const char*>(text->d_buf);
  if (memmem(begin, text->d_size, wanted.data(), wanted.size()) == nullptr) return std::nullopt;
  const auto count =
      static_cast<int>(std::min<uint64_t>(header.sh_size / header.sh_entsize, uint64_t{1} << 24));
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, i, &symbol) == nullptr) return std::nullopt;
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= text->d_size) continue;
    // It may be there more than once, as the end of other names.
    if (std::string_view(begin + symbol.st_name, text->d_size - symbol.st_name).starts_with(wanted))
      return symbol.st_value;
  }
  return std::nullopt;
}

// The lowest address of the file, on a page.
uint64_t FirstAddress(Elf* elf) {
  constexpr uint64_t kPageBytes = 4096;
  uint64_t first = ~uint64_t{0};
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return 0;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_LOAD)
      first = std::min<uint64_t>(first, header.p_vaddr / kPageBytes * kPageBytes);
  }
  return first == ~uint64_t{0} ? 0 : first;
}

}  // namespace

std::unique_ptr<JitImage> JitImage::Parse(std::string bytes) {
  Elf64_Ehdr header;
  if (!ReadAt(bytes, 0, &header) || !IsOfThisMachine(header)) return nullptr;
  const bool relocatable = header.e_type == ET_REL;
  std::vector<Code> code;
  for (size_t i = 1; i < header.e_shnum; ++i) {
    const uint64_t place = header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    if (place < header.e_shoff || !ReadAt(bytes, place, &section)) break;
    constexpr uint64_t kCode = SHF_ALLOC | SHF_EXECINSTR;
    const uint64_t end = section.sh_addr + section.sh_size;
    if ((section.sh_flags & kCode) == kCode && section.sh_addr != 0 && end > section.sh_addr)
      code.push_back({section.sh_addr, end, i});
    // Relocation is relative to where libdwfl puts the sections, not the JIT.
    section.sh_addr = 0;
    if (relocatable) std::memcpy(bytes.data() + place, &section, sizeof section);
  }
  if (code.empty()) return nullptr;
  return std::unique_ptr<JitImage>(new JitImage(std::move(bytes), relocatable, std::move(code)));
}

JitImage::JitImage(std::string bytes, bool relocatable, std::vector<Code> code)
    : bytes_(std::move(bytes)), relocatable_(relocatable), code_(std::move(code)) {}

JitImage::~JitImage() = default;

bool JitImage::Contains(uint64_t pc) const {
  return std::ranges::any_of(code_,
                             [pc](const Code& code) { return pc >= code.start && pc < code.end; });
}

// libdwfl takes files only.
void JitImage::Open() {
  opened_ = true;
  const std::string bytes = std::exchange(bytes_, {});
  const base::ScopedFd file(memfd_create("pyrometer-jit", MFD_CLOEXEC));
  if (!file.valid() || !WriteAll(file.get(), bytes)) return;
  module_ = ElfModule::OpenFile("/proc/self/fd/" + std::to_string(file.get()));
}

std::vector<SymbolLine> JitImage::Lookup(uint64_t pc) {
  if (!opened_) Open();
  const auto code = std::ranges::find_if(
      code_, [pc](const Code& one) { return pc >= one.start && pc < one.end; });
  if (module_ == nullptr || code == code_.end()) return {};
  const uint64_t address =
      relocatable_ ? module_->SectionAddress(code->section) + (pc - code->start) : pc;
  std::vector<SymbolLine> lines = module_->Lookup(address, Detail::kLines);
  const std::optional<NumbaName> name = ParseNumbaName(module_->SymbolAt(address));
  if (!name || lines.empty()) return lines;
  // What was inlined keeps the names that the debug information gives it.
  SymbolLine& function = lines.back();
  const bool has_line = function.line != 0 && base::IsPythonSource(function.file);
  function.function = has_line ? name->function : name->module + "." + name->function;
  if (name->wrapper) function = {function.function + " (wrapper)", "", 0};
  return lines;
}

uint64_t FindVariable(const std::string& path, const std::string& name) {
  const base::ScopedFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!fd.valid() || fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, ElfEnder> elf(elf_begin(fd.get(), ELF_C_READ_MMAP, nullptr));
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) return 0;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
    if (const auto value = ValueIn(elf.get(), section, header, name))
      return *value - FirstAddress(elf.get());
  }
  return 0;
}

}  // namespace pyrometer::symbolize
