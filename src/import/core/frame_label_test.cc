// SPDX-License-Identifier: Apache-2.0
#include "import/core/frame_label.h"

#include <gtest/gtest.h>

namespace pyrometer::import_ {
namespace {

using Language = FrameText::Language;

void ExpectLabel(std::string_view label, std::string_view name, std::string_view file,
                 uint32_t line, std::string_view module = "",
                 Language language = Language::kGuess) {
  const FrameText text = ParseFrameLabel(label);
  EXPECT_EQ(text.name, name) << label;
  EXPECT_EQ(text.file, file) << label;
  EXPECT_EQ(text.line, line) << label;
  EXPECT_EQ(text.module, module) << label;
  EXPECT_EQ(text.language, language) << label;
}

TEST(ParseFrameLabel, KnowsHowToolsWriteFrames) {
  ExpectLabel("work (app/main.py:12)", "work", "app/main.py", 12);
  ExpectLabel("<listcomp> (main.py:3)", "<listcomp>", "main.py", 3);
  ExpectLabel("work (main.py)", "work", "main.py", 0);
  ExpectLabel("app/main.py:Class.work:12", "Class.work", "app/main.py", 12);
  ExpectLabel("<frozen importlib._bootstrap>:_load:7", "_load", "<frozen importlib._bootstrap>", 7);
  ExpectLabel("do_syscall_64_[k]", "do_syscall_64", "", 0, "", Language::kKernel);
  ExpectLabel("memcpy [libc.so.6]", "memcpy", "", 0, "libc.so.6", Language::kNative);
}

TEST(ParseFrameLabel, TakesAnythingElseForAName) {
  for (const std::string_view label :
       {"main", "", "operator()", "f(int, char)", " (x)", "std::vector<int>::push_back", "a:b",
        "a:12", ":12", "[unknown]", "x ()"})
    ExpectLabel(label, label, "", 0);
}

TEST(ParseFrameLabel, LinesThatDoNotFitAreNone) {
  ExpectLabel("work (main.py:99999999999)", "work", "main.py:99999999999", 0);
}

}  // namespace
}  // namespace pyrometer::import_
