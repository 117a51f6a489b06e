// SPDX-License-Identifier: Apache-2.0
#include "profile/source_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profile/testing/check_invariants.h"

namespace pyrometer::profile {
namespace {

using format::FrameKind;
using ::testing::ElementsAre;

constexpr char kPyx[] = "/project/cyx.pyx";
constexpr char kSource[] =
    "cdef double square(double x):\n    return x\ndef calc(n):\n    return square(n)\n";

// One thread whose samples have the stack main.py:1, then `calls`.
class SourceFramesTest : public ::testing::Test {
 protected:
  SourceFramesTest() {
    profile_.strings = {""};
    profile_.stacks.emplace_back();
    profile_.processes.emplace_back();
    profile_.threads.emplace_back();
    profile_.codes.push_back({Text("/project/main.py"), Text("main"), 1});
    profile_.frames.push_back({.kind = FrameKind::kPython, .code = format::CodeId(0), .line = 1});
    profile_.stacks.push_back({format::kEmptyStack, format::FrameId(0)});
    profile_.modules.push_back({Text("/project/cyx.so"), ""});
  }

  format::StringId Text(const std::string& text) {
    profile_.strings.push_back(text);
    return format::StringId(static_cast<uint32_t>(profile_.strings.size() - 1));
  }
  void HasSource(const std::string& path, const std::string& text) {
    profile_.sources.push_back({Text(path), text});
  }
  void InModule(const std::string& path) { profile_.modules[0].path = Text(path); }

  struct Line {
    const char* function;
    const char* file;
    uint32_t line;
  };
  // Native code called by the last one, with its functions innermost first.
  void Calls(const std::vector<Line>& lines) {
    const format::FrameId frame(static_cast<uint32_t>(profile_.frames.size()));
    profile_.frames.push_back(
        {.kind = FrameKind::kNative, .module = format::ModuleId(0), .address = frame.value});
    format::SymbolInfo symbol{frame, {}};
    for (const Line& line : lines)
      symbol.lines.push_back({Text(line.function), Text(line.file), line.line});
    if (!lines.empty()) profile_.symbols.push_back(symbol);
    const format::StackId top(static_cast<uint32_t>(profile_.stacks.size() - 1));
    profile_.stacks.push_back({top, frame});
  }
  // What the sample's stack is then, root first.
  std::vector<std::string> Expanded() {
    const format::StackId top(static_cast<uint32_t>(profile_.stacks.size() - 1));
    SampleColumns& samples = profile_.samples;
    samples.time_ns = {1};
    samples.weight_ns.push_back(1);
    samples.thread.push_back(format::ThreadId(0));
    samples.stack = {top};
    samples.activity = {format::Activity::kNative};
    samples.count.push_back(1);
    samples.task.resize(1);
    profile_.awaits.clear();
    profile_.memory_peaks = {
        {format::ProcessId(0), 1, {{.thread = format::ThreadId(0), .stack = top}}}};
    ExpandSourceFrames(profile_);
    EXPECT_EQ(testing::BrokenInvariant(profile_), "");
    EXPECT_EQ(profile_.memory_peaks[0].parts[0].stack, samples.stack[0]);
    std::vector<std::string> texts;
    for (format::StackId at = samples.stack[0]; at != format::kEmptyStack;
         at = profile_.stacks[at.value].parent)
      texts.insert(texts.begin(), Describe(profile_.stacks[at.value].frame));
    return texts;
  }
  std::string Describe(format::FrameId id) const {
    const format::FrameInfo& frame = profile_.frames[id.value];
    if (frame.kind == FrameKind::kPython) {
      const format::CodeInfo& code = profile_.codes[frame.code.value];
      const std::string& path = profile_.Text(code.filename);
      return profile_.Text(code.qualname) + " " + path.substr(path.rfind('/') + 1) + ":" +
             std::to_string(frame.line);
    }
    std::string names = "native";
    for (const format::SymbolInfo& symbol : profile_.symbols)
      if (symbol.frame == id)
        for (const format::SymbolLine& line : symbol.lines)
          names += " " + profile_.Text(line.function);
    return names;
  }

  Profile profile_;
};

TEST_F(SourceFramesTest, InlinedFunctionsAreFramesOfTheirOwn) {
  HasSource(kPyx, kSource);
  Calls({{"__Pyx_Helper", "/project/cyx.c", 900},
         {"__pyx_f_3cyx_square", kPyx, 2},
         {"__pyx_pf_3cyx_calc", kPyx, 4},
         {"__pyx_pw_3cyx_1calc", kPyx, 3}});
  Calls({});
  EXPECT_THAT(Expanded(), ElementsAre("main main.py:1", "calc cyx.pyx:4", "square cyx.pyx:2",
                                      "native __Pyx_Helper", "native"));
}

TEST_F(SourceFramesTest, AWrapperAndItsFunctionAreOne) {
  HasSource(kPyx, kSource);
  Calls({{"__pyx_pw_3cyx_1calc", kPyx, 3}});
  Calls({{"__pyx_pf_3cyx_calc", kPyx, 4}});
  EXPECT_THAT(Expanded(), ElementsAre("main main.py:1", "calc cyx.pyx:4"));
}

TEST_F(SourceFramesTest, AFunctionThatCallsItselfIsTwo) {
  HasSource(kPyx, kSource);
  Calls({{"__pyx_f_3cyx_square", kPyx, 2}});
  Calls({{"__pyx_f_3cyx_square", kPyx, 2}});
  EXPECT_THAT(Expanded(), ElementsAre("main main.py:1", "square cyx.pyx:2", "square cyx.pyx:2"));
}

// Compilers count on from the last line directive.
TEST_F(SourceFramesTest, CythonsOwnCodeHasNoLineOfTheSource) {
  HasSource(kPyx, kSource);
  Calls({{"__Pyx_AddTraceback", kPyx, 977}});
  EXPECT_THAT(Expanded(), ElementsAre("main main.py:1", "native __Pyx_AddTraceback"));
}

TEST_F(SourceFramesTest, LinesOfAJitNeedNoSpecialNames) {
  Calls({{"par", "/project/job.py", 7}});
  EXPECT_THAT(Expanded(), ElementsAre("main main.py:1", "par job.py:7"));
}

TEST_F(SourceFramesTest, LinesOfALibraryBuiltElsewhereStayNative) {
  InModule("/usr/lib/python3/site-packages/cyx.so");
  Calls({{"__pyx_f_3cyx_square", "/tmp/build-x1/cyx.pyx", 2}});
  EXPECT_THAT(Expanded(), ElementsAre("main main.py:1", "native __pyx_f_3cyx_square"));
}

TEST_F(SourceFramesTest, AnInstalledModuleWhoseSourceIsHereHasLines) {
  InModule("/usr/lib/python3/site-packages/cyx.so");
  HasSource(kPyx, kSource);
  Calls({{"__pyx_f_3cyx_square", kPyx, 2}});
  EXPECT_THAT(Expanded(), ElementsAre("main main.py:1", "square cyx.pyx:2"));
}

TEST_F(SourceFramesTest, DefinitionsGiveTheFirstLine) {
  HasSource(kPyx, kSource);
  Calls({{"__pyx_pf_3cyx_calc", kPyx, 4}});
  Expanded();
  EXPECT_EQ(profile_.codes.back().first_line, 3u);
}

TEST_F(SourceFramesTest, OrdinaryCodeIsLeftAlone) {
  Calls({{"f", "/project/f.c", 2}, {"g", "/project/f.c", 3}});
  const size_t frames = profile_.frames.size();
  EXPECT_THAT(Expanded(), ElementsAre("main main.py:1", "native f g"));
  EXPECT_EQ(profile_.frames.size(), frames);
}

}  // namespace
}  // namespace pyrometer::profile
