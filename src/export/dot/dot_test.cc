// SPDX-License-Identifier: Apache-2.0
#include "export/dot/dot.h"

#include <gmock/gmock.h>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;
using ::testing::HasSubstr;
using ::testing::Not;

class DotTest : public testing::ExchangeTest {
 protected:
  std::string Graph(const ExchangeOptions& options = {}) const {
    return Written(WriteDot, options);
  }
};

TEST_F(DotTest, FunctionsAndCallsHaveTheirShare) {
  profile_.Add("main@1:10", kPython, 1).Add("main@1:10 > f@2:3", kPython, 3);
  EXPECT_THAT(Graph(), HasSubstr("f0 [label=\"main\\napp.py:1\\ntotal 4.00 s (100 %)\\n"
                                 "self 1.00 s (25.0 %)\""));
  EXPECT_THAT(Graph(), HasSubstr("f0 -> f1 [label=\"75.0 %\""));
}

TEST_F(DotTest, SmallOnesAreLeftOutAndCounted) {
  profile_.Add("main@1:10", kPython, 1).Add("main@1:10 > tiny@2:3", kPython, 0.004);
  EXPECT_THAT(Graph(), Not(HasSubstr("tiny")));
  EXPECT_THAT(Graph(), HasSubstr("1 functions with less than 0.5 % are left out"));
}

TEST_F(DotTest, NamesStayInTheirQuotes) {
  profile_.Add("a\"];b\\:1", kPython, 1);
  EXPECT_THAT(Graph(), HasSubstr("label=\"a\\\"];b\\\\\\napp.py"));
}

}  // namespace
}  // namespace pyrometer::export_
