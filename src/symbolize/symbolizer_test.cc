// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbolizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "symbolize/build_id.h"
#include "symbolize/sample_library.h"

namespace pyrometer::symbolize {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class SymbolizerTest : public testing::Test {
 protected:
  // The functions at the return address that `function` of `library` gives.
  std::vector<std::string> NamesAt(const std::string& library, const char* function) {
    std::vector<std::string> names;
    for (const SymbolLine& line : LinesAt(library, function)) names.push_back(line.function);
    return names;
  }
  std::vector<SymbolLine> LinesAt(const std::string& library, const char* function) {
    const SampleLibrary sample(library);
    EXPECT_TRUE(sample.ok()) << sample.path();
    const auto lines =
        symbolizer_.Lookup(sample.path(), "", sample.ReturnAddressFrom(function), true);
    EXPECT_TRUE(lines.ok());
    return lines.value();
  }

  Symbolizer symbolizer_;
};

TEST_F(SymbolizerTest, SymbolTableWithoutDebugInformation) {
  EXPECT_THAT(NamesAt("plain.so", "Outer"), ElementsAre("Outer"));
  EXPECT_THAT(NamesAt("plain.so", "InHidden"), ElementsAre("Hidden()"));
  EXPECT_THAT(NamesAt("plain.so", "InTemplate"), ElementsAre("sample::Box<int>::Where(int)"));
  EXPECT_THAT(LinesAt("plain.so", "Outer")[0], (SymbolLine{"Outer", "", 0}));
}

TEST_F(SymbolizerTest, StrippedFileHasItsExportsOnly) {
  EXPECT_THAT(NamesAt("stripped.so", "Outer"), ElementsAre("Outer"));
  EXPECT_THAT(NamesAt("stripped.so", "InHidden"), IsEmpty());
}

void ExpectInlinedChain(const std::vector<SymbolLine>& lines, const SampleLibrary& sample) {
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0].function, StartsWith("Inner"));
  EXPECT_EQ(lines[1].function, "Outer");
  EXPECT_EQ(lines[0].line, sample.Number("inner_line"));
  EXPECT_EQ(lines[1].line, sample.Number("outer_line"));
  EXPECT_THAT(lines[0].file, EndsWith("testdata/sample.cc"));
  EXPECT_EQ(lines[1].file, lines[0].file);
}

TEST_F(SymbolizerTest, InlinedFunctionsAndLines) {
  ExpectInlinedChain(LinesAt("debug.so", "Outer"), SampleLibrary("debug.so"));
  EXPECT_THAT(NamesAt("debug.so", "InTemplate"), ElementsAre("sample::Box<int>::Where(int)"));
  EXPECT_THAT(NamesAt("debug.so", "InHidden"), ElementsAre("Hidden()"));
}

TEST_F(SymbolizerTest, DebugFileBesideTheLibrary) {
  ExpectInlinedChain(LinesAt("linked.so", "Outer"), SampleLibrary("linked.so"));
}

TEST_F(SymbolizerTest, LeafAddressIsTakenAsItIs) {
  const SampleLibrary sample("debug.so");
  const uint64_t start = sample.AddressOf("Outer");
  EXPECT_EQ(symbolizer_.Lookup(sample.path(), "", start, false).value().back().function, "Outer");
  const auto before = symbolizer_.Lookup(sample.path(), "", start, true);
  ASSERT_TRUE(before.ok());
  EXPECT_TRUE(before.value().empty() || before.value().back().function != "Outer");
}

TEST_F(SymbolizerTest, AddressesOutsideTheCodeHaveNoName) {
  const std::string path = SampleLibrary("debug.so").path();
  for (const uint64_t address : {uint64_t{0}, uint64_t{1} << 40, ~uint64_t{0}}) {
    EXPECT_THAT(symbolizer_.Lookup(path, "", address, false).value(), IsEmpty());
    EXPECT_THAT(symbolizer_.Lookup(path, "", address, true).value(), IsEmpty());
  }
}

TEST_F(SymbolizerTest, MatchingBuildIdIsAccepted) {
  const SampleLibrary sample("plain.so");
  const std::string id = ReadBuildId(sample.path()).value();
  EXPECT_TRUE(symbolizer_.Lookup(sample.path(), id, sample.AddressOf("Outer"), false).ok());
}

TEST_F(SymbolizerTest, OtherBuildIdIsReportedInsteadOfNames) {
  const SampleLibrary sample("plain.so");
  const std::string other = ReadBuildId(SampleLibrary("debug.so").path()).value();
  const auto lines = symbolizer_.Lookup(sample.path(), other, sample.AddressOf("Outer"), false);
  ASSERT_FALSE(lines.ok());
  EXPECT_THAT(lines.error().message, HasSubstr("changed since it was recorded"));
  EXPECT_THAT(lines.error().message, HasSubstr(BuildIdToHex(other)));
}

TEST_F(SymbolizerTest, MissingFileIsAnError) {
  EXPECT_FALSE(symbolizer_.Lookup("/nowhere/lib.so", "", 16, false).ok());
  EXPECT_FALSE(symbolizer_.Lookup("/nowhere/lib.so", "\x01\x02\x03\x04", 16, false).ok());
}

// Damaged files: any answer will do, as long as there is one.
class DamagedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream in(SampleLibrary("debug.so").path(), std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    ASSERT_GT(bytes_.size(), 1000u);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void LookUpEverywhere(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    Symbolizer symbolizer;
    for (uint64_t address = 0; address < 0x3000; address += 0x31) {
      const auto lines = symbolizer.Lookup(path_, "", address, true);
      if (!lines.ok()) return;
      for (const SymbolLine& line : lines.value()) EXPECT_LT(line.function.size(), 100000u);
    }
  }

  std::mt19937 random_{20241};
  std::string bytes_;
  std::string path_ = testing::TempDir() + "pyrometer_damaged.so";
};

TEST_F(DamagedFileTest, Truncated) {
  for (int i = 0; i < 60; ++i) LookUpEverywhere(bytes_.substr(0, random_() % bytes_.size()));
}

TEST_F(DamagedFileTest, FlippedBytes) {
  for (int round = 0; round < 150; ++round) {
    std::string content = bytes_;
    for (int i = 0; i < 40; ++i) content[random_() % content.size()] = static_cast<char>(random_());
    LookUpEverywhere(content);
  }
}

TEST_F(DamagedFileTest, FlippedHeaders) {
  for (int round = 0; round < 150; ++round) {
    std::string content = bytes_;
    content[16 + random_() % 600] = static_cast<char>(random_());
    LookUpEverywhere(content);
  }
}

}  // namespace
}  // namespace pyrometer::symbolize
