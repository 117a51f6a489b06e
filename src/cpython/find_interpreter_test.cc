// SPDX-License-Identifier: Apache-2.0
#include "cpython/find_interpreter.h"

#include <map>
#include <string>

#include "cpython/fake_memory.h"
#include "gtest/gtest.h"

namespace pyrometer::cpython {
namespace {

class FakeSymbols {
 public:
  void Put(const std::string& name, uint64_t address) { symbols_[name] = address; }
  uint64_t Address(const char* name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? 0 : found->second;
  }
  uint64_t Size(const char* name) const { return Address(name) == 0 ? 0 : 0x100; }

 private:
  std::map<std::string, uint64_t> symbols_;
};

class FindInterpreterTest : public testing::Test {
 protected:
  InterpreterFacts Find() {
    return FindInterpreter(symbols_, memory_, [this] { return old_version_; });
  }
  void HasPython() {
    symbols_.Put("_PyRuntime", memory_.Allocate(4096));
    symbols_.Put("PyGILState_GetThisThreadState", 0x5000);
    symbols_.Put("_PyEval_EvalFrameDefault", 0x6000);
    symbols_.Put("PyCode_Type", 0x7000);
  }
  void HasVersion(uint64_t version) {
    const uint64_t at = memory_.Allocate(8);
    memory_.Put(at, version);
    symbols_.Put("Py_Version", at);
  }

  FakeMemory memory_;
  FakeSymbols symbols_;
  uint32_t old_version_ = 0;
};

TEST_F(FindInterpreterTest, NoneIsThere) { EXPECT_EQ(Find().runtime, 0); }

TEST_F(FindInterpreterTest, OneWithAVersionThatSaysSo) {
  HasPython();
  HasVersion(0x030c01f0);
  const InterpreterFacts found = Find();
  EXPECT_TRUE(found.supported);
  EXPECT_EQ(found.version_hex, 0x030c01f0u);
  EXPECT_EQ(found.layout.version_hex, 0x030c01f0u);
  EXPECT_EQ(found.layout.type_code, 0x7000u);
  EXPECT_EQ(found.eval_begin, 0x6000u);
  EXPECT_EQ(found.eval_end, 0x6100u);
}

TEST_F(FindInterpreterTest, AnOlderOneIsAskedOtherwise) {
  HasPython();
  old_version_ = 0x030812f0;
  EXPECT_TRUE(Find().supported);
  EXPECT_EQ(Find().layout.version_hex, 0x030812f0u);
}

TEST_F(FindInterpreterTest, OneThatNobodyKnowsIsAPythonAllTheSame) {
  HasPython();
  HasVersion(0x036301f0);
  EXPECT_FALSE(Find().supported);
  EXPECT_NE(Find().runtime, 0u);
  char message[256];
  WriteUnknownVersion(Find().version_hex, message);
  EXPECT_STREQ(message, "CPython 3.99.1 is not a version that pyrometer knows");
}

TEST_F(FindInterpreterTest, VeryOldOnesHaveNoRuntime) {
  old_version_ = 0x020712f0;
  EXPECT_FALSE(Find().supported);
  EXPECT_EQ(Find().runtime, 1u);
}

TEST(VersionText, IsParsed) {
  EXPECT_EQ(ParseVersion("3.12.1+ (main, Dec"), 0x030c01f0u);
  EXPECT_EQ(ParseVersion("3.8.18 (default"), 0x030812f0u);
  EXPECT_EQ(ParseVersion("3.8"), 0x030800f0u);
}

TEST(VersionText, IsToldFromOtherNumbers) {
  EXPECT_EQ(VersionTextLength("3.8.18 (default, Jan 1 2024)"), 6u);
  EXPECT_EQ(VersionTextLength("3.10.13+ (main"), 8u);
  for (const char* other : {"3.8.18", "3.8.18 x", "3.8 (", "38.1.1 (", "3.8.180 (", "3..1 (", "3"})
    EXPECT_EQ(VersionTextLength(other), 0u) << other;
}

TEST(VersionText, IsFoundInMemoryAcrossParts) {
  for (const uint64_t offset : {0, 100, 4060, 4064, 4090, 4096, 9000}) {
    FakeMemory memory;
    const uint64_t begin = memory.Allocate(10000);
    memory.PutText(begin + offset, "3.9.18 (main, ");
    EXPECT_EQ(FindVersionText(memory, begin, begin + 10000), 0x030912f0u) << offset;
    EXPECT_EQ(FindVersionText(memory, begin, begin + offset), 0u) << offset;
  }
}

}  // namespace
}  // namespace pyrometer::cpython
