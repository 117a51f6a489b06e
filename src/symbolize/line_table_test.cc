// SPDX-License-Identifier: Apache-2.0
#include "symbolize/line_table.h"

#include <fcntl.h>
#include <gelf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/scoped_fd.h"
#include "symbolize/dwarf_bytes.h"
#include "symbolize/sample_library.h"

namespace pyrometer::symbolize {
namespace {

// The debug information of a file.
class OpenDwarf {
 public:
  explicit OpenDwarf(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)),
        dwarf_(dwarf_begin(fd_.get(), DWARF_C_READ)) {}
  ~OpenDwarf() { dwarf_end(dwarf_); }
  OpenDwarf(const OpenDwarf&) = delete;
  OpenDwarf& operator=(const OpenDwarf&) = delete;

  Dwarf* get() const { return dwarf_; }

  // Where the code of the file begins.
  uint64_t CodeBegins() const {
    uint64_t begin = UINT64_MAX;
    Elf* const elf = dwarf_getelf(dwarf_);
    size_t count = 0;
    elf_getphdrnum(elf, &count);
    GElf_Phdr header;
    for (size_t i = 0; i < count; ++i)
      if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_LOAD &&
          (header.p_flags & PF_X) != 0)
        begin = std::min<uint64_t>(begin, header.p_vaddr);
    return begin;
  }

 private:
  base::ScopedFd fd_;
  Dwarf* dwarf_;
};

struct Compared {
  size_t units = 0;
  size_t rows = 0;
  size_t different = 0;
};

bool IsSame(Dwarf_Line* line, const LineTable& table, uint64_t address) {
  const std::optional<LineTable::Place> place = table.Find(address);
  if (line == nullptr || !place) return (line == nullptr) == !place;
  int number = 0;
  dwarf_lineno(line, &number);
  const std::string path = dwarf_linesrc(line, nullptr, nullptr);
  return static_cast<uint32_t>(number) == place->line &&
         path.ends_with(table.FileName(place->file));
}

// At every address of libdw's rows, and beside it.
void CompareUnit(Dwarf_Die unit, uint64_t code_begins, Compared* result) {
  Dwarf_Lines* lines;
  size_t count;
  if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
  const std::optional<LineTable> table = LineTable::Read(unit);
  ASSERT_TRUE(table.has_value());
  ++result->units;
  for (size_t i = 0; i < count; ++i) {
    Dwarf_Addr address;
    dwarf_lineaddr(dwarf_onesrcline(lines, i), &address);
    for (const uint64_t at : {address - 1, address, address + 1}) {
      // What the linker has left out stands before all code: libdw mixes up the pieces.
      if (at < code_begins) continue;
      ++result->rows;
      if (!IsSame(dwarf_getsrc_die(&unit, at), *table, at)) ++result->different;
    }
  }
}

Compared CompareWithLibdw(const std::string& path) {
  const OpenDwarf dwarf(path);
  EXPECT_NE(dwarf.get(), nullptr) << path;
  Compared result;
  Dwarf_CU* cu = nullptr;
  Dwarf_Die unit;
  uint8_t type;
  while (dwarf.get() != nullptr &&
         dwarf_get_units(dwarf.get(), cu, &cu, nullptr, &type, &unit, nullptr) == 0)
    CompareUnit(unit, dwarf.CodeBegins(), &result);
  return result;
}

TEST(LineTable, SaysWhatLibdwSaysOfASample) {
  const Compared result = CompareWithLibdw(SampleLibrary("debug.so").path());
  EXPECT_GT(result.rows, 20u);
  EXPECT_EQ(result.different, 0u);
}

// Many units of C++, with headers, templates and pieces of code apart.
TEST(LineTable, SaysWhatLibdwSaysOfThisProgram) {
  const Compared result = CompareWithLibdw("/proc/self/exe");
  EXPECT_GT(result.units, 2u);
  EXPECT_GT(result.rows, 1000u);
  EXPECT_EQ(result.different, 0u);
}

TEST(LineTable, OlderFormatsAreReadAsWell) {
  for (const char* const version : {"2", "3", "4"}) {
    const Compared result =
        CompareWithLibdw(SampleLibrary(std::string("dwarf") + version + ".so").path());
    EXPECT_GT(result.rows, 20u) << version;
    EXPECT_EQ(result.different, 0u) << version;
  }
}

TEST(DwarfBytes, Numbers) {
  DwarfBytes bytes(std::string_view("\xe5\x8e\x26\x80\x7f\x7f\x05", 7));
  EXPECT_EQ(bytes.Uleb(), 624485u);
  EXPECT_EQ(bytes.Sleb(), -128);
  EXPECT_EQ(bytes.Sleb(), -1);
  EXPECT_EQ(bytes.Fixed<uint8_t>(), 5);
  EXPECT_TRUE(bytes.ok());
  EXPECT_FALSE(bytes.More());
}

TEST(DwarfBytes, NothingIsReadBehindTheEnd) {
  DwarfBytes cut(std::string_view("\x80\x80", 2));
  EXPECT_EQ(cut.Uleb(), 0u);
  EXPECT_FALSE(cut.ok());
  DwarfBytes text(std::string_view("abc", 3));
  EXPECT_EQ(text.Text(), "");
  EXPECT_FALSE(text.ok());
  DwarfBytes endless(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12));
  EXPECT_EQ(endless.Sleb(), 0);
  EXPECT_FALSE(endless.ok());
}

}  // namespace
}  // namespace pyrometer::symbolize
