// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jit_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "symbolize/sample_library.h"
#include "symbolize/tiny_image.h"

namespace pyrometer::symbolize {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

constexpr uint64_t kStart = 0x7f0000001000;

TEST(JitImageTest, NamesCodeWhereItWasLoaded) {
  const auto image = JitImage::Parse(TinyImage(kStart, 64, "jit_function"));
  ASSERT_NE(image, nullptr);
  EXPECT_TRUE(image->Contains(kStart));
  EXPECT_FALSE(image->Contains(kStart + 64));
  EXPECT_FALSE(image->Contains(kStart - 1));
  EXPECT_THAT(image->Lookup(kStart + 63), ElementsAre(SymbolLine{"jit_function", "", 0}));
  EXPECT_THAT(image->Lookup(kStart + 64), IsEmpty());
}

TEST(JitImageTest, FunctionsOfNumbaHaveTheirOwnNames) {
  const auto image = JitImage::Parse(TinyImage(kStart, 64, "_ZN8__main__3parB2v1B2xyEx"));
  EXPECT_THAT(image->Lookup(kStart), ElementsAre(SymbolLine{"__main__.par", "", 0}));
  const auto wrapper = JitImage::Parse(TinyImage(kStart, 64, "cfunc._ZN8__main__3parB2v1B2xyEx"));
  EXPECT_THAT(wrapper->Lookup(kStart), ElementsAre(SymbolLine{"__main__.par (wrapper)", "", 0}));
}

std::string BytesOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(JitImageTest, DebugInformationGivesLines) {
  const SampleLibrary sample("debug.so");
  const auto image = JitImage::Parse(BytesOf(sample.path()));
  ASSERT_NE(image, nullptr);
  const auto lines = image->Lookup(sample.ReturnAddressFrom("Outer") - 1);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].function, "Outer");
  EXPECT_EQ(lines[1].line, sample.Number("outer_line"));
  EXPECT_THAT(lines[1].file, EndsWith("sample.cc"));
}

TEST(JitImageTest, OtherBytesAreNoImage) {
  EXPECT_EQ(JitImage::Parse(""), nullptr);
  EXPECT_EQ(JitImage::Parse(std::string(4096, '\x7f')), nullptr);
  EXPECT_EQ(JitImage::Parse(TinyImage(0, 64, "not_loaded")), nullptr);
  EXPECT_EQ(JitImage::Parse(TinyImage(~uint64_t{0} - 10, 64, "wraps")), nullptr);
}

TEST(JitImageTest, DamagedImagesDoNoHarm) {
  std::mt19937 random{17};
  const std::string whole = TinyImage(kStart, 64, "jit_function");
  const std::string library = BytesOf(SampleLibrary("debug.so").path());
  for (int round = 0; round < 400; ++round) {
    std::string bytes = round % 4 == 0 ? library : whole;
    if (round % 3 == 0) bytes.resize(random() % bytes.size());
    for (int i = 0; i < 12 && !bytes.empty(); ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    const auto image = JitImage::Parse(std::move(bytes));
    if (image == nullptr) continue;
    for (const uint64_t pc : {kStart, kStart + 32, uint64_t{0x1100}, uint64_t{0x1200}})
      image->Lookup(pc);
  }
}

TEST(FindVariableTest, IsRelativeToTheFirstByte) {
  const SampleLibrary sample("plain.so");
  EXPECT_EQ(FindVariable(sample.path(), "outer_line"), sample.AddressOf("outer_line"));
  EXPECT_EQ(FindVariable(sample.path(), "no_such_variable"), 0u);
  EXPECT_EQ(FindVariable("/nowhere", "outer_line"), 0u);
  EXPECT_EQ(FindVariable("/proc/self/maps", "outer_line"), 0u);
}

TEST(FindVariableTest, ItsNameMayBeTheEndOfOthers) {
  for (const char* file : {"plain.so", "stripped.so"}) {
    const SampleLibrary sample(file);
    for (const char* name : {"named", "a_named", "b_named"})
      EXPECT_EQ(FindVariable(sample.path(), name), sample.AddressOf(name)) << file << " " << name;
  }
}

}  // namespace
}  // namespace pyrometer::symbolize
