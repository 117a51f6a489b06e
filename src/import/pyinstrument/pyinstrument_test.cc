// SPDX-License-Identifier: Apache-2.0
#include "import/pyinstrument/pyinstrument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"

namespace pyrometer::import_ {
namespace {

using ::testing::ElementsAre;
using testing::Import;
using testing::LossTexts;
using testing::SampleTexts;

std::string Frame(const std::string& name, const std::string& file, const std::string& time,
                  const std::string& children) {
  return R"({"function":")" + name + R"(","file_path_short":"x","file_path":")" + file +
         R"(","line_no":3,"time":)" + time + R"(,"await_time":0.0,"children":[)" + children + "]}";
}
std::string File(const std::string& root) {
  return R"({"start_time":1794853157.5,"duration":0.9,"sample_count":5,"target_description":"Program: x.py","root_frame":)" +
         root + "}";
}

TEST(Pyinstrument, TimeOfItsOwnIsWhatCallsLeave) {
  const auto profile = Import(File(
      Frame("<module>", "x.py", "0.9",
            Frame("burn", "x.py", "0.5", "") + "," + Frame("sleep", "<built-in>", "0.3", ""))));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("<module> (x.py:3) python 100000000 1",
                          "<module> (x.py:3);burn (x.py:3) python 500000000 1",
                          "<module> (x.py:3);sleep [] native 300000000 1"));
  EXPECT_EQ(profile.value().run.start_unix_ns, 1794853157500000000u);
  EXPECT_EQ(profile.value().run_end->end_ns, 900'000'000u);
  EXPECT_THAT(profile.value().run.command, ElementsAre("Program: x.py"));
}

TEST(Pyinstrument, AbsurdTimesAreCounted) {
  const auto profile = Import(File(Frame(
      "f", "x.py", "1", Frame("g", "x.py", "-1", "") + ",null," + Frame("h", "x.py", "1e99", ""))));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()), ElementsAre("f (x.py:3) python 1000000000 1"));
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("values that cannot be: 2"));
}

TEST(Pyinstrument, DamagedFilesAreReadOrRefused) {
  testing::ExpectSoundWhenDamaged(File(Frame("f", "x.py", "0.5", Frame("g", "y.py", "0.25", ""))),
                                  "pyinstrument");
}

}  // namespace
}  // namespace pyrometer::import_
