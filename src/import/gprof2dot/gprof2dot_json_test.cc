// SPDX-License-Identifier: Apache-2.0
#include "import/gprof2dot/gprof2dot_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"

namespace pyrometer::import_ {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::Import;
using testing::LossTexts;
using testing::SampleTexts;
using testing::StackText;

std::string File(const std::string& costs, const std::string& events) {
  return R"({"version":0,)" + costs + R"("events":[)" + events +
         R"(],"functions":[{"name":"main","module":"app.py"},{"name":"work","module":"app.py"},
            {"name":"malloc","module":"/lib/libc.so.6"}]})";
}

TEST(Gprof2dot, BytesOfMemray) {
  const auto profile =
      Import(File(R"("costs":[{"description":"Memory","unit":"bytes"}],)",
                  R"({"callchain":[2,1,0],"cost":[100]},{"callchain":[0],"cost":[7]})"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  const auto& parts = profile.value().memory_peaks[0].parts;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(StackText(profile.value(), parts[0].stack),
            "main (app.py:0);work (app.py:0);malloc [/lib/libc.so.6]");
  EXPECT_EQ(parts[0].amount.bytes, 100u);
  EXPECT_EQ(StackText(profile.value(), parts[1].stack), "main (app.py:0)");
  EXPECT_EQ(parts[1].amount.bytes, 7u);
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
}

TEST(Gprof2dot, TimesAndCounts) {
  const auto times = Import(File(R"("costs":[{"unit":"samples"},{"unit":"s"}],)",
                                 R"({"callchain":[0],"cost":[3,0.25]})"));
  ASSERT_TRUE(times.ok()) << times.error().message;
  EXPECT_THAT(SampleTexts(times.value()), ElementsAre("main (app.py:0) python 250000000 1"));
  const auto counts = Import(File("", R"({"callchain":[0],"cost":[3]})"));
  ASSERT_TRUE(counts.ok()) << counts.error().message;
  EXPECT_THAT(SampleTexts(counts.value()), ElementsAre("main (app.py:0) python 30000000 3"));
}

TEST(Gprof2dot, WhatMakesNoSenseIsCounted) {
  const auto profile = Import(File(
      R"("costs":[{"unit":"ns"}],)",
      R"({"callchain":[0],"cost":[5]},{"callchain":[9,-1,"x",0],"cost":[NaN]},{"cost":[1e99,-3]},{},7)"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()), ElementsAre("main (app.py:0) python 5 1"));
  EXPECT_THAT(LossTexts(profile.value()),
              ElementsAre("frames that the file does not have: 3", "values that cannot be: 3"));
}

TEST(Gprof2dot, DamagedFilesAreReadOrRefused) {
  testing::ExpectSoundWhenDamaged(
      File(R"("costs":[{"unit":"ns"}],)", R"({"callchain":[1,0],"cost":[5]})"), "gprof2dot");
}

}  // namespace
}  // namespace pyrometer::import_
