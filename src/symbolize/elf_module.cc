// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf_module.h"

#include <cstdlib>
#include <cstring>

#include "symbolize/build_id.h"
#include "symbolize/debug_files.h"
#include "symbolize/demangle.h"

namespace pyrometer::symbolize {
namespace {

// libdwfl's own finders may ask a debuginfod server; these look at this
// machine's files only.
int FindNoElf(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) { return -1; }

int FindDebugInfo(Dwfl_Module* module, void**, const char*, Dwarf_Addr, const char* file_name,
                  const char* link, GElf_Word crc, char** found_name) {
  if (file_name == nullptr) return -1;
  const unsigned char* bits = nullptr;
  GElf_Addr address;
  const int size = dwfl_module_build_id(module, &bits, &address);
  std::string build_id;
  if (size > 0) build_id.assign(reinterpret_cast<const char*>(bits), static_cast<size_t>(size));
  std::string found;
  base::ScopedFd fd = OpenDebugFile(file_name, build_id, link, crc, &found);
  if (fd.valid()) *found_name = strdup(found.c_str());
  return fd.Release();
}

const Dwfl_Callbacks kCallbacks = {
    .find_elf = FindNoElf,
    .find_debuginfo = FindDebugInfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

// Compilers leave the linkage name out of the DWARF of local functions; then
// the symbol table knows the enclosing namespaces and the parameters.
bool IsFullName(const std::string& function) { return function.find('(') != std::string::npos; }

}  // namespace

base::Result<std::unique_ptr<ElfModule>> ElfModule::Open(const std::string& path,
                                                         std::string_view build_id) {
  const base::Result<std::string> id = ReadBuildId(path);
  const bool matches = id.ok() && (build_id.empty() || id.value() == build_id);
  if (matches) {
    if (std::unique_ptr<ElfModule> module = OpenFile(path)) return module;
    return base::Error{path + ": not a readable ELF file"};
  }
  const std::string debug_path = DebugPathOf(build_id);
  const base::Result<std::string> debug_id = ReadBuildId(debug_path);
  if (debug_id.ok() && debug_id.value() == build_id) {
    if (std::unique_ptr<ElfModule> module = OpenFile(debug_path)) return module;
  }
  if (!id.ok()) return id.error();
  return base::Error{path + ": changed since it was recorded (build id was " +
                     BuildIdToHex(build_id) + ", is " +
                     (id.value().empty() ? "none" : BuildIdToHex(id.value())) + ")"};
}

std::unique_ptr<ElfModule> ElfModule::OpenFile(const std::string& path) {
  Dwfl* dwfl = dwfl_begin(&kCallbacks);
  if (dwfl == nullptr) return nullptr;
  dwfl_report_begin(dwfl);
  Dwfl_Module* module = dwfl_report_offline(dwfl, "module", path.c_str(), -1);
  dwfl_report_end(dwfl, nullptr, nullptr);
  GElf_Addr bias = 0;
  if (module == nullptr || dwfl_module_getelf(module, &bias) == nullptr) {
    dwfl_end(dwfl);
    return nullptr;
  }
  return std::unique_ptr<ElfModule>(new ElfModule(dwfl, module, bias));
}

ElfModule::~ElfModule() { dwfl_end(dwfl_); }

void ElfModule::ReadDebugInfo() {
  debug_info_read_ = true;
  Dwarf_Addr dwarf_bias = 0;
  Dwarf* dwarf = dwfl_module_getdwarf(module_, &dwarf_bias);
  if (dwarf == nullptr) return;
  debug_offset_ = bias_ - dwarf_bias;
  debug_info_.emplace(dwarf);
}

std::vector<SymbolLine> ElfModule::Lookup(uint64_t address, Detail detail) {
  const bool with_lines = detail == Detail::kLines;
  if (with_lines && !debug_info_read_) ReadDebugInfo();
  if (!symbols_) symbols_.emplace(module_, bias_);
  std::vector<SymbolLine> lines;
  if (with_lines && debug_info_) lines = debug_info_->Lookup(address + debug_offset_);
  if (!lines.empty() && IsFullName(lines.back().function)) return lines;

  const char* symbol = symbols_->Find(address);
  const std::string name = symbol != nullptr ? Demangle(symbol) : "";
  if (lines.empty() && name.empty()) return {};
  if (lines.empty()) lines.emplace_back();
  std::string& function = lines.back().function;
  if (function.empty() || (symbol != nullptr && name != symbol)) function = name;
  if (function.empty()) return {};
  return lines;
}

std::string_view ElfModule::SymbolAt(uint64_t address) {
  if (!symbols_) symbols_.emplace(module_, bias_);
  const char* symbol = symbols_->Find(address);
  return symbol != nullptr ? symbol : "";
}

uint64_t ElfModule::SectionAddress(size_t index) const {
  GElf_Addr bias = 0;
  Elf_Scn* section = elf_getscn(dwfl_module_getelf(module_, &bias), index);
  GElf_Shdr header;
  return section != nullptr && gelf_getshdr(section, &header) != nullptr ? header.sh_addr : 0;
}

}  // namespace pyrometer::symbolize
