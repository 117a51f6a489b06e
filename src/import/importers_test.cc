// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

// The beginning of a file of each format.
constexpr struct {
  const char* format;
  std::string_view bytes;
} kSamples[] = {
    {"mojo", {"MOJ\x03\x01mode\0wall\0", 15}},
    {"pstats",
     {"\xfb\x29\x03\xfa\x04"
      "a.py\xe9\x01\0\0\0",
      14}},
    {"pstats", {"{(\x03\0\0\0u\x04\0\0\0a.py", 15}},
    {"callgrind", "# callgrind format\nevents: Ir\nfn=main\n1 2\n"},
    {"callgrind", "version: 1\ncmd: x\nevents: Ir\n\nfn=main\n1 2\n"},
    {"pprof", {"\x0a\x04\x08\x01\x10\x02\x32\0", 8}},
    {"perfetto", {"\x0a\x04\x50\x01\x40\x05", 6}},
    {"austin", "# austin: 3.7.0\n"},
    {"austin", "P1;T0:1;a.py:f:1 10\n"},
    {"perf", "python 12 1.5: 100 cycles: \n\t  10 main+0x1 (/bin/a)\n\n"},
    {"collapsed", "main;work 12\n"},
};

TEST(Importers, EachKnowsItsOwn) {
  for (const auto& [format, bytes] : kSamples) {
    const auto found = Recognise({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    ASSERT_TRUE(found.ok()) << format;
    EXPECT_STREQ(found.value()->name, format);
  }
}

TEST(Importers, NamesAreUnique) {
  for (const Importer& importer : Importers()) EXPECT_EQ(FindImporter(importer.name), &importer);
  EXPECT_EQ(FindImporter("nothing"), nullptr);
}

}  // namespace
}  // namespace pyrometer::import_
