// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbolize_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "symbolize/sample_library.h"

namespace pyrometer::symbolize {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SymbolizeFramesTest : public testing::Test {
 protected:
  void Want(uint32_t frame, std::string_view path, uint64_t address, std::string_view id = "") {
    frames_.push_back({format::FrameId(frame), path, id, address, true});
  }
  Symbolizer symbolizer_;
  SymbolizeResult Symbolize() { return SymbolizeFrames(symbolizer_, frames_, {}); }

  SampleLibrary plain_{"plain.so"};
  SampleLibrary debug_{"debug.so"};
  std::vector<FrameAddress> frames_;
};

TEST_F(SymbolizeFramesTest, NamesComeBackByFrame) {
  Want(7, plain_.path(), plain_.ReturnAddressFrom("InHidden"));
  Want(2, debug_.path(), debug_.ReturnAddressFrom("Outer"));
  Want(5, plain_.path(), plain_.ReturnAddressFrom("Outer"));
  const SymbolizeResult result = Symbolize();
  ASSERT_THAT(result.frames, SizeIs(3));
  EXPECT_EQ(result.frames[0].frame, format::FrameId(2));
  EXPECT_THAT(result.frames[0].lines, SizeIs(2));
  EXPECT_EQ(result.frames[1].lines[0].function, "Outer");
  EXPECT_EQ(result.frames[2].lines[0].function, "Hidden()");
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.unnamed, 0u);
}

TEST_F(SymbolizeFramesTest, OneProblemForEachModule) {
  Want(0, plain_.path(), 0x10, "other id");
  Want(1, plain_.path(), 0x20, "other id");
  Want(2, "/nowhere/lib.so", 0x10);
  Want(3, "[vdso]", 0x10);
  const SymbolizeResult result = Symbolize();
  EXPECT_THAT(result.frames, IsEmpty());
  ASSERT_THAT(result.problems, SizeIs(2));
  EXPECT_THAT(result.problems[0] + result.problems[1], HasSubstr("changed since"));
  EXPECT_EQ(result.unnamed, 4u);
}

TEST_F(SymbolizeFramesTest, ProgressEndsAtTheTotal) {
  for (uint32_t i = 0; i < 1000; ++i) Want(i, plain_.path(), i);
  std::vector<size_t> seen;
  SymbolizeFrames(symbolizer_, frames_, [&](size_t done, size_t total) {
    EXPECT_EQ(total, 1000u);
    seen.push_back(done);
  });
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 1000u);
  EXPECT_LT(seen.size(), 20u);
}

TEST_F(SymbolizeFramesTest, RecordForTheFile) {
  const NamedFrame named{format::FrameId(9), {{"f", "a.c", 3}, {"g", "", 0}}};
  std::vector<std::string> interned;
  const format::SymbolInfo info = ToSymbolInfo(named, [&](std::string_view text) {
    interned.emplace_back(text);
    return format::StringId(static_cast<uint32_t>(interned.size()));
  });
  EXPECT_EQ(info.frame, format::FrameId(9));
  ASSERT_THAT(info.lines, SizeIs(2));
  EXPECT_EQ(interned[info.lines[0].file.value - 1], "a.c");
  EXPECT_EQ(interned[info.lines[1].function.value - 1], "g");
  EXPECT_EQ(info.lines[0].line, 3u);
}

}  // namespace
}  // namespace pyrometer::symbolize
