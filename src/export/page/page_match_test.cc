// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"
#include "export/page/page_data.h"
#include "export/page/testing/page_reader.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;
using analyze::testing::ProfileBuilder;
using testing::PageReader;
using ::testing::UnorderedElementsAre;

// Which code a page finds again: columns of its base, which say it in numbers of its data.
class PageMatchTest : public ::testing::Test {
 protected:
  static PageReader Page(const ProfileBuilder& builder, const profile::Profile* now) {
    const profile::Profile& profile = builder.Build();
    std::ostringstream out;
    WritePageData(profile, analyze::BuildReport(profile, {}), {}, out, now);
    return PageReader::Read(out.str()).value();
  }
  static std::string Function(const PageReader& page, uint64_t function) {
    return page.Strings("string")[page.Numbers("function.name")[function]];
  }
  static std::string Frame(const PageReader& page, uint64_t frame) {
    return Function(page, page.Numbers("frame.function")[frame]) + ":" +
           std::to_string(page.Numbers("frame.line")[frame]);
  }
  // "what it was > what it is" of each row of a table of the base.
  template <class ToText>
  std::vector<std::string> Matches(const std::string& table, ToText text) const {
    const PageReader now = Page(now_, nullptr), base = Page(base_, &now_.Build());
    const std::vector<uint64_t> numbers = base.Numbers(table + ".match");
    std::vector<std::string> matches;
    for (size_t i = 0; i < numbers.size(); ++i)
      matches.push_back(text(base, i) + " > " +
                        (numbers[i] == 0 ? "-" : text(now, numbers[i] - 1)));
    return matches;
  }

  ProfileBuilder base_, now_;
};

TEST_F(PageMatchTest, LinesMoveWithTheirText) {
  base_.Source("app.py", "def f():\n    a()\n    gone()\n").Add("f@1:2", kPython, 1);
  base_.Add("f@1:3", kPython, 1);
  now_.Source("app.py", "# a\ndef g():\n    pass\ndef f():\n    a()\n");
  now_.Add("g@2:3", kPython, 1).Add("f@4:5", kPython, 1);
  EXPECT_THAT(Matches("function", Function), UnorderedElementsAre("f > f"));
  EXPECT_THAT(Matches("frame", Frame), UnorderedElementsAre("f:2 > f:5", "f:3 > -"));
}

TEST_F(PageMatchTest, NativeFunctionsAreTheSameByNameAndModule) {
  base_.Add("f:1 > exp [libm.so.6]", kNative, 1).Add("f:1 > log [libm.so.6]", kNative, 1);
  now_.Add("f:1 > log [libm.so.6]", kNative, 1).Add("f:1 > exp [libx.so]", kNative, 1);
  EXPECT_THAT(Matches("function", Function), UnorderedElementsAre("f > f", "exp > -", "log > log"));
  EXPECT_THAT(Matches("frame", Frame),
              UnorderedElementsAre("f:1 > f:1", "exp:0 > -", "log:0 > log:0"));
}

TEST_F(PageMatchTest, WhatIsNowhereElseHasNoNumber) {
  base_.Add("old:1", kPython, 1);
  now_.Add("fresh:1", kPython, 1);
  EXPECT_THAT(Matches("function", Function), UnorderedElementsAre("old > -"));
  EXPECT_THAT(Matches("frame", Frame), UnorderedElementsAre("old:1 > -"));
}

TEST_F(PageMatchTest, OnlyABaseHasIt) {
  now_.Add("f:1", kPython, 1);
  EXPECT_EQ(Page(now_, nullptr).sections().count("function.match"), 0u);
}

}  // namespace
}  // namespace pyrometer::export_
