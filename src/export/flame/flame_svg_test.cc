// SPDX-License-Identifier: Apache-2.0
#include "export/flame/flame_svg.h"

#include <gmock/gmock.h>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;
using ::testing::HasSubstr;
using ::testing::Not;

class FlameSvgTest : public testing::ExchangeTest {
 protected:
  std::string Image(const ExchangeOptions& options = {}) const {
    return Written(WriteFlameSvg, options);
  }
};

TEST_F(FlameSvgTest, WidthsAreShares) {
  profile_.Add("a:1", kPython, 3).Add("b:1", kPython, 1);
  EXPECT_THAT(Image(), HasSubstr("data-x=\"0.0000\" data-w=\"900.0000\" data-name=\"a (app.py:1)\">"
                                 "<title>a (app.py:1): 3.00 s (75.00 %)</title>"));
  EXPECT_THAT(Image(),
              HasSubstr("data-x=\"900.0000\" data-w=\"300.0000\" data-name=\"b (app.py:1)\""));
}

TEST_F(FlameSvgTest, WhatNobodySeesIsLeftOut) {
  profile_.Add("a:1", kPython, 1).Add("b:1", kPython, 0.00005);
  EXPECT_THAT(Image(), Not(HasSubstr("b (app.py:1)")));
}

TEST_F(FlameSvgTest, NamesAreTexts) {
  profile_.Add("</title><script>alert(1)</script>\"&\1:1", kPython, 1);
  EXPECT_THAT(Image(), Not(HasSubstr("<script>alert")));
  EXPECT_THAT(Image(), HasSubstr("data-name=\"&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
                                 "&quot;&amp;_ (app.py:1)\""));
}

}  // namespace
}  // namespace pyrometer::export_
