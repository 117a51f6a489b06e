// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_info.h"

#include <dwarf.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "symbolize/demangle.h"

namespace pyrometer::symbolize {
namespace {

// No real program nests deeper; a damaged one may nest without end.
constexpr int kMaxDepth = 64;

// The linkage name if it is a mangled one, which has the enclosing scopes. An
// unmangled one is only an assembler-level alias of the name in the source.
std::string NameOf(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute) != nullptr ||
      dwarf_attr_integrate(&die, DW_AT_MIPS_linkage_name, &attribute) != nullptr) {
    const char* linkage_name = dwarf_formstring(&attribute);
    if (linkage_name != nullptr) {
      std::string name = Demangle(linkage_name);
      if (name != linkage_name) return name;
    }
  }
  const char* name = dwarf_diename(&die);
  return name != nullptr ? name : "";
}

// Paths in the line table may be relative to where the compiler ran.
std::string AbsolutePath(Dwarf_Die unit, const std::string& path) {
  Dwarf_Attribute attribute;
  if (path.starts_with('/') || dwarf_attr(&unit, DW_AT_comp_dir, &attribute) == nullptr)
    return path;
  const char* folder = dwarf_formstring(&attribute);
  if (folder == nullptr || folder[0] != '/') return path;
  return (std::filesystem::path(folder) / path).lexically_normal();
}

// The path of file number `file` of a unit, by libdw, which reads all lines for it.
std::string FileOf(Dwarf_Die unit, uint64_t file) {
  Dwarf_Files* files;
  size_t count;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count) return "";
  const char* path = dwarf_filesrc(files, file, nullptr, nullptr);
  return path != nullptr ? path : "";
}

// The inlined functions inside `function` that cover `address`, outermost
// first.
std::vector<Dwarf_Die> InlinedAt(Dwarf_Die function, uint64_t address) {
  std::vector<Dwarf_Die> chain;
  Dwarf_Die scope = function;
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    Dwarf_Die child;
    bool found = false;
    int status = dwarf_child(&scope, &child);
    for (; status == 0 && !found; status = found ? 0 : dwarf_siblingof(&child, &child)) {
      const int tag = dwarf_tag(&child);
      found = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
              dwarf_haspc(&child, address) == 1;
      if (found) break;
    }
    if (!found) break;
    if (dwarf_tag(&child) == DW_TAG_inlined_subroutine) chain.push_back(child);
    scope = child;
  }
  return chain;
}

bool MayHoldFunctions(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
      return true;
    default:
      return false;
  }
}

}  // namespace

void DebugInfo::ReadUnits() {
  units_read_ = true;
  Dwarf_CU* cu = nullptr;
  Dwarf_Die die;
  Dwarf_Die split;
  uint8_t type;
  while (dwarf_get_units(dwarf_, cu, &cu, nullptr, &type, &die, &split) == 0) {
    Dwarf_Addr base;
    Dwarf_Addr start;
    Dwarf_Addr end;
    for (ptrdiff_t offset = 0; (offset = dwarf_ranges(&die, offset, &base, &start, &end)) > 0;) {
      if (start < end) extents_.push_back({start, end, units_.size()});
    }
    const bool is_split = type == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit;
    units_.push_back({.die = die, .content = is_split ? split : die, .functions = {}, .lines = {}});
  }
  std::sort(extents_.begin(), extents_.end(),
            [](const Extent& a, const Extent& b) { return a.start < b.start; });
}

DebugInfo::Unit* DebugInfo::UnitOf(uint64_t address) {
  if (!units_read_) ReadUnits();
  const auto it = std::upper_bound(extents_.begin(), extents_.end(), address,
                                   [](uint64_t value, const Extent& e) { return value < e.start; });
  if (it == extents_.begin() || address >= std::prev(it)->end) return nullptr;
  return &units_[std::prev(it)->unit];
}

void DebugInfo::CollectFunctions(Dwarf_Die parent, int depth, std::vector<Function>& functions) {
  Dwarf_Die child;
  if (depth == kMaxDepth || dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) {
      Dwarf_Addr base;
      Dwarf_Addr start;
      Dwarf_Addr end;
      for (ptrdiff_t offset = 0;
           (offset = dwarf_ranges(&child, offset, &base, &start, &end)) > 0;) {
        if (start < end) functions.push_back({start, end, child});
      }
    }
    if (MayHoldFunctions(tag)) CollectFunctions(child, depth + 1, functions);
  } while (dwarf_siblingof(&child, &child) == 0);
}

void DebugInfo::SetCallSite(Dwarf_Die inlined, const Unit& unit, SymbolLine* out) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (dwarf_attr(&inlined, DW_AT_call_line, &attribute) != nullptr &&
      dwarf_formudata(&attribute, &value) == 0)
    out->line = static_cast<uint32_t>(value);
  if (dwarf_attr(&inlined, DW_AT_call_file, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &value) != 0)
    return;
  const std::string file = unit.lines ? unit.lines->FileName(value) : FileOf(unit.die, value);
  if (!file.empty()) out->file = AbsolutePath(unit.die, file);
}

void DebugInfo::SetLine(const Unit& unit, uint64_t address, SymbolLine* out) {
  if (unit.lines) {
    const std::optional<LineTable::Place> place = unit.lines->Find(address);
    if (!place) return;
    out->file = AbsolutePath(unit.die, unit.lines->FileName(place->file));
    out->line = place->line;
    return;
  }
  Dwarf_Die die = unit.die;
  Dwarf_Line* line = dwarf_getsrc_die(&die, address);
  int number = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0) return;
  const char* path = dwarf_linesrc(line, nullptr, nullptr);
  if (path == nullptr) return;
  out->file = AbsolutePath(unit.die, path);
  out->line = static_cast<uint32_t>(number);
}

void DebugInfo::Read(Unit& unit) {
  unit.read = true;
  unit.lines = LineTable::Read(unit.die);
  CollectFunctions(unit.content, 0, unit.functions);
  std::sort(unit.functions.begin(), unit.functions.end(),
            [](const Function& a, const Function& b) { return a.start < b.start; });
}

const DebugInfo::Function* DebugInfo::FunctionOf(const Unit& unit, uint64_t address) const {
  const auto it =
      std::upper_bound(unit.functions.begin(), unit.functions.end(), address,
                       [](uint64_t value, const Function& f) { return value < f.start; });
  if (it == unit.functions.begin() || address >= std::prev(it)->end) return nullptr;
  return &*std::prev(it);
}

std::vector<SymbolLine> DebugInfo::Lookup(uint64_t address) {
  Unit* unit = UnitOf(address);
  if (unit == nullptr) return {};
  if (!unit->read) Read(*unit);

  std::vector<SymbolLine> lines(1);
  SetLine(*unit, address, &lines.back());
  const Function* function = FunctionOf(*unit, address);
  if (function == nullptr) return lines;
  const std::vector<Dwarf_Die> inlined = InlinedAt(function->die, address);
  // A line belongs to the innermost function; each one further out is at the
  // place where it takes in the next.
  for (auto it = inlined.rbegin(); it != inlined.rend(); ++it) {
    lines.back().function = NameOf(*it);
    SetCallSite(*it, *unit, &lines.emplace_back());
  }
  lines.back().function = NameOf(function->die);
  return lines;
}

}  // namespace pyrometer::symbolize
