// SPDX-License-Identifier: Apache-2.0
#include "import/core/own_metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

using ::testing::ElementsAre;
using testing::SampleTexts;

class OwnMetricsTest : public ::testing::Test {
 protected:
  void Add(std::string_view metric, uint64_t value) {
    metrics_.Add(maker_.OnlyThread(), stack_, *metric::Table().Find(metric, metric::kExported),
                 value);
  }
  profile::Profile Finish() {
    metrics_.Finish();
    return maker_.Take("test");
  }

  ProfileMaker maker_;
  OwnMetrics metrics_{maker_};
  format::StackId stack_ =
      maker_.Stack(format::kEmptyStack, maker_.Frame({.name = "f", .file = "a.py", .line = 1}));
};

TEST_F(OwnMetricsTest, SamplesAreSharedOut) {
  Add("native", 20);
  Add("samples", 3);
  Add("python", 10);
  Add("wall", 30);
  EXPECT_THAT(SampleTexts(Finish()),
              ElementsAre("f (a.py:1) python 10 2", "f (a.py:1) native 20 1"));
}

TEST_F(OwnMetricsTest, OneMetricOfTimeIsEnough) {
  Add("wall", 30);
  EXPECT_THAT(SampleTexts(Finish()), ElementsAre("f (a.py:1) python 30 1"));
}

TEST_F(OwnMetricsTest, SamplesWithoutTimeCount) {
  Add("samples", 4);
  EXPECT_THAT(SampleTexts(Finish()), ElementsAre("f (a.py:1) python 0 4"));
}

}  // namespace
}  // namespace pyrometer::import_
