// SPDX-License-Identifier: Apache-2.0
#include "symbolize/line_table.h"

#include <dwarf.h>
#include <gelf.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "symbolize/dwarf_bytes.h"

namespace pyrometer::symbolize {
namespace {

// The contents of the section called `name`; empty where there is none, or it is compressed.
std::string_view SectionOf(Elf* elf, std::string_view name) {
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || (header.sh_flags & SHF_COMPRESSED) != 0)
      continue;
    const char* const found = elf_strptr(elf, names, header.sh_name);
    if (found == nullptr || found != name) continue;
    const Elf_Data* const data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const char*>(data->d_buf), data->d_size};
  }
  return {};
}

bool IsLinked(Elf* elf) {
  GElf_Ehdr header;
  return gelf_getehdr(elf, &header) != nullptr && header.e_type != ET_REL &&
         header.e_ident[EI_DATA] == ELFDATA2LSB;
}

}  // namespace

// Runs a line program once. Lives on the stack of LineTable::Read.
class LineProgram {
 public:
  LineProgram(Elf* elf, std::string_view lines, uint64_t offset)
      : texts_(SectionOf(elf, ".debug_str")),
        line_texts_(SectionOf(elf, ".debug_line_str")),
        bytes_(lines) {
    bytes_.Skip(offset);
  }

  // False: it is not understood.
  bool Run() {
    if (!ReadHeader()) return false;
    while (program_.More())
      if (!Step()) return false;
    const auto before = [](const LineTable::Row& a, const LineTable::Row& b) {
      // One piece of code may begin where another one ends.
      if (a.address != b.address) return a.address < b.address;
      return a.file == LineTable::kEnd && b.file != LineTable::kEnd;
    };
    if (!std::ranges::is_sorted(table_.rows_, before))
      std::ranges::stable_sort(table_.rows_, before);
    return true;
  }
  LineTable Take() { return std::move(table_); }

 private:
  bool ReadHeader() {
    uint64_t length = bytes_.Fixed<uint32_t>();
    if (length == 0xffffffff) {
      wide_ = true;
      length = bytes_.Fixed<uint64_t>();
    }
    bytes_.CutAfter(length);
    version_ = bytes_.Fixed<uint16_t>();
    if (version_ < 2 || version_ > 5) return false;
    // Size of addresses and of segment selectors.
    if (version_ == 5 && (bytes_.Fixed<uint8_t>() != 8 || bytes_.Fixed<uint8_t>() != 0))
      return false;
    const uint64_t header_length = Offset();
    program_ = bytes_;
    program_.Skip(header_length);
    step_ = bytes_.Fixed<uint8_t>();
    if (version_ >= 4 && bytes_.Fixed<uint8_t>() > 1)
      return false;  // operations in one instruction
    bytes_.Skip(1);  // default_is_stmt
    line_base_ = int{bytes_.Fixed<int8_t>()};
    line_range_ = bytes_.Fixed<uint8_t>();
    first_special_ = bytes_.Fixed<uint8_t>();
    if (line_range_ == 0 || first_special_ == 0) return false;
    for (unsigned opcode = 1; opcode < first_special_; ++opcode)
      operands_[opcode] = bytes_.Fixed<uint8_t>();
    return (version_ == 5 ? ReadFiles() : ReadOldFiles()) && program_.ok();
  }

  bool ReadOldFiles() {
    std::vector<std::string_view> folders = {""};
    for (std::string_view folder; !(folder = bytes_.Text()).empty();) folders.push_back(folder);
    table_.files_.emplace_back();  // they are counted from 1
    for (std::string_view name; !(name = bytes_.Text()).empty();) {
      const uint64_t folder = bytes_.Uleb();
      bytes_.Uleb();  // when it was changed
      bytes_.Uleb();  // its length
      AddFile(folders, folder, name);
    }
    return bytes_.ok();
  }

  bool ReadFiles() {
    std::vector<std::string_view> folders;
    const auto add_folder = [&](std::string_view name, uint64_t) { folders.push_back(name); };
    const auto add_file = [&](std::string_view name, uint64_t folder) {
      AddFile(folders, folder, name);
    };
    return ReadEntries(add_folder) && ReadEntries(add_file);
  }

  // A list of folders or files, whose format comes before it.
  template <class Add>
  bool ReadEntries(const Add& add) {
    std::vector<std::pair<uint64_t, uint64_t>> format(bytes_.Fixed<uint8_t>());
    for (auto& [content, form] : format) {
      content = bytes_.Uleb();
      form = bytes_.Uleb();
    }
    const uint64_t count = bytes_.Uleb();
    if (format.empty() && count != 0) return false;
    for (uint64_t i = 0; i < count && bytes_.ok(); ++i) {
      std::string_view name;
      uint64_t folder = 0;
      for (const auto& [content, form] : format) {
        std::string_view text;
        uint64_t number = 0;
        if (!ReadForm(form, &text, &number)) return false;
        if (content == DW_LNCT_path) name = text;
        if (content == DW_LNCT_directory_index) folder = number;
      }
      add(name, folder);
    }
    return bytes_.ok();
  }

  bool ReadForm(uint64_t form, std::string_view* text, uint64_t* number) {
    switch (form) {
      case DW_FORM_string:
        *text = bytes_.Text();
        return true;
      case DW_FORM_line_strp:
        *text = DwarfBytes::TextAt(line_texts_, Offset());
        return true;
      case DW_FORM_strp:
        *text = DwarfBytes::TextAt(texts_, Offset());
        return true;
      case DW_FORM_udata:
        *number = bytes_.Uleb();
        return true;
      case DW_FORM_data1:
        *number = bytes_.Fixed<uint8_t>();
        return true;
      case DW_FORM_data2:
        *number = bytes_.Fixed<uint16_t>();
        return true;
      case DW_FORM_data4:
        *number = bytes_.Fixed<uint32_t>();
        return true;
      case DW_FORM_data8:
        *number = bytes_.Fixed<uint64_t>();
        return true;
      case DW_FORM_data16:
        bytes_.Skip(16);
        return true;
      case DW_FORM_block:
        bytes_.Skip(bytes_.Uleb());
        return true;
      default:
        return false;
    }
  }

  void AddFile(const std::vector<std::string_view>& folders, uint64_t folder,
               std::string_view name) {
    std::string path;
    if (!name.starts_with('/') && folder < folders.size() && !folders[folder].empty())
      path.append(folders[folder]).append("/");
    table_.files_.push_back(path.append(name));
  }

  // One instruction. False: it is not understood.
  bool Step() {
    const auto opcode = program_.Fixed<uint8_t>();
    if (opcode >= first_special_) {
      const unsigned both = opcode - first_special_;
      address_ += uint64_t{both / line_range_} * step_;
      line_ += static_cast<uint32_t>(line_base_ + static_cast<int>(both % line_range_));
      AddRow();
      return true;
    }
    switch (opcode) {
      case 0:
        return StepExtended();
      case DW_LNS_copy:
        AddRow();
        break;
      case DW_LNS_advance_pc:
        address_ += program_.Uleb() * step_;
        break;
      case DW_LNS_advance_line:
        line_ += static_cast<uint32_t>(program_.Sleb());
        break;
      case DW_LNS_set_file:
        file_ = static_cast<uint32_t>(program_.Uleb());
        break;
      case DW_LNS_const_add_pc:
        address_ += uint64_t{(255u - first_special_) / line_range_} * step_;
        break;
      case DW_LNS_fixed_advance_pc:
        address_ += program_.Fixed<uint16_t>();
        break;
      default:  // columns, statements and the like
        for (unsigned i = 0; i < operands_[opcode]; ++i) program_.Uleb();
    }
    return true;
  }

  bool StepExtended() {
    const uint64_t length = program_.Uleb();
    if (length == 0) return true;
    const auto opcode = program_.Fixed<uint8_t>();
    switch (opcode) {
      case DW_LNE_end_sequence:
        program_.Skip(length - 1);
        EndSequence();
        return true;
      case DW_LNE_set_address:
        if (length != 1 + sizeof(uint64_t)) return false;
        address_ = program_.Fixed<uint64_t>();
        return true;
      case DW_LNE_define_file:
        return false;
      default:
        program_.Skip(length - 1);
        return true;
    }
  }

  void EndSequence() {
    std::vector<LineTable::Row>& rows = table_.rows_;
    // What the linker has left out stands at address 0, piece upon piece.
    if (sequence_ < rows.size() && rows[sequence_].address == 0)
      rows.resize(sequence_);
    else
      rows.push_back({address_, LineTable::kEnd, 0});
    sequence_ = rows.size();
    address_ = 0;
    file_ = line_ = 1;
  }

  void AddRow() {
    std::vector<LineTable::Row>& rows = table_.rows_;
    // Most rows only tell columns and statements apart.
    if (!rows.empty() && rows.back().file == file_ && rows.back().line == line_ &&
        rows.back().address <= address_)
      return;
    rows.push_back({address_, file_, line_});
  }

  uint64_t Offset() { return wide_ ? bytes_.Fixed<uint64_t>() : bytes_.Fixed<uint32_t>(); }

  std::string_view texts_;
  std::string_view line_texts_;
  DwarfBytes bytes_;    // the header
  DwarfBytes program_;  // what follows it
  bool wide_ = false;   // the 64-bit format
  unsigned version_ = 0;
  unsigned step_ = 1;  // bytes of an instruction of the processor
  int line_base_ = 0;
  unsigned line_range_ = 1;
  unsigned first_special_ = 0;
  uint8_t operands_[256] = {};
  uint64_t address_ = 0;
  uint32_t file_ = 1;
  uint32_t line_ = 1;
  size_t sequence_ = 0;  // its first row
  LineTable table_;
};

std::optional<LineTable> LineTable::Read(Dwarf_Die unit) {
  Dwarf_Attribute attribute;
  Dwarf_Word offset;
  Elf* const elf = dwarf_getelf(dwarf_cu_getdwarf(unit.cu));
  if (elf == nullptr || !IsLinked(elf) ||
      dwarf_attr(&unit, DW_AT_stmt_list, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &offset) != 0)
    return std::nullopt;
  LineProgram program(elf, SectionOf(elf, ".debug_line"), offset);
  if (!program.Run()) return std::nullopt;
  return program.Take();
}

std::optional<LineTable::Place> LineTable::Find(uint64_t address) const {
  const auto after = std::ranges::upper_bound(rows_, address, {}, &Row::address);
  if (after == rows_.begin()) return std::nullopt;
  const Row& row = *std::prev(after);
  if (row.file == kEnd) return std::nullopt;
  return Place{row.file, row.line};
}

std::string LineTable::FileName(uint64_t file) const {
  return file < files_.size() ? files_[file] : "";
}

}  // namespace pyrometer::symbolize
