// SPDX-License-Identifier: Apache-2.0
#include "export/report/stacks.h"

#include <gtest/gtest.h>

#include <sstream>

#include "analyze/testing/profile_builder.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;

class WriteStacksTest : public ::testing::Test {
 protected:
  std::string Text() {
    std::ostringstream out;
    WriteStacks(profile_.Build(), out);
    return out.str();
  }

  analyze::testing::ProfileBuilder profile_;
};

TEST_F(WriteStacksTest, RootFirstPythonThenNative) {
  profile_.Add("main:10 > lib/a.py|C.f:3 > add [/lib/m.so]", kNative, 0.1);
  EXPECT_EQ(Text(), "1\tmain (app.py:10);C.f (lib/a.py:3);add [/lib/m.so]\n");
}

TEST_F(WriteStacksTest, CountsObservationsOverThreadsAndActivities) {
  profile_.Add("main:10", kPython, 0.1, 2).Thread(101, "t").Add("main:10", kIoWait, 0.1);
  profile_.Add("main:11", kPython, 5.0).Add("main:12", kPython, 0.1, 7);
  EXPECT_EQ(Text(), "7\tmain (app.py:12)\n3\tmain (app.py:10)\n1\tmain (app.py:11)\n");
}

TEST_F(WriteStacksTest, StacksWithoutSamplesAreLeftOut) {
  profile_.Add("main:10 > f:3", kPython, 0.1);
  EXPECT_EQ(Text(), "1\tmain (app.py:10);f (app.py:3)\n");
}

TEST_F(WriteStacksTest, TwoAddressesOfOneFunctionAreOneStack) {
  profile_.Add("f [m.so]", kNative, 0.1).Add("? [m.so]", kNative, 0.1);
  profile_.profile().symbols.push_back(profile_.profile().symbols.front());
  profile_.profile().symbols.back().frame = format::FrameId(1);
  EXPECT_EQ(Text(), "2\tf [m.so]\n");
}

TEST_F(WriteStacksTest, InlinedFunctionsAreFrames) {
  profile_.Add("outer/inner [m.so]", kNative, 0.1);
  EXPECT_EQ(Text(), "1\touter [m.so];inner [m.so]\n");
}

TEST_F(WriteStacksTest, UnknownSymbolsShowTheirAddress) {
  profile_.Add("? [m.so]", kNative, 0.1);
  EXPECT_EQ(Text(), "1\t0x1000 [m.so]\n");
}

TEST_F(WriteStacksTest, EmptyAndSpecialStacks) {
  profile_.Add("", kKernel, 0.1).Add("<truncated> > f:3", kPython, 0.1);
  EXPECT_EQ(Text(), "1\t\n1\t<truncated>;f (app.py:3)\n");
}

TEST_F(WriteStacksTest, HostileNamesStayOnTheirLine) {
  profile_.Add("a\n;\\\t:3", kPython, 0.1);
  EXPECT_EQ(Text(), "1\ta\\x0a\\x3b\\\\\\x09 (app.py:3)\n");
}

}  // namespace
}  // namespace pyrometer::export_
