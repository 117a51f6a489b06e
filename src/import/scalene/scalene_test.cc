// SPDX-License-Identifier: Apache-2.0
#include "import/scalene/scalene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"

namespace pyrometer::import_ {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FactTexts;
using ::testing::HasSubstr;
using testing::Import;
using testing::LossTexts;
using testing::SampleTexts;

std::string File(const std::string& lines) {
  return R"({"alloc_samples":8,"args":["app.py","-v"],"elapsed_time_sec":2.0,"files":{"/app.py":{
      "functions":[{"line":"burn","lineno":2}],"lines":[)" +
         lines +
         R"(]}},"stacks":[[["/app.py burn:5;"],{"c_time":0.1}]],"start_time_absolute":1794853145.5})";
}

TEST(Scalene, SharesBecomeTimesAndAmounts) {
  const auto profile = Import(File(
      R"({"lineno":5,"line":"  x","start_function_line":2,"n_cpu_percent_python":30.0,"n_cpu_percent_c":5,
          "n_sys_percent":15.0,"n_malloc_mb":2.0,"n_peak_mb":1.5,"n_copy_mb_s":0.5},
         {"lineno":6,"n_cpu_percent_python":0,"n_peak_mb":0},
         {"lineno":9,"start_function_line":0,"n_cpu_percent_python":50.0})"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
  EXPECT_THAT(
      SampleTexts(profile.value()),
      ElementsAre("burn (/app.py:5) python 600000000 1", "burn (/app.py:5) native 100000000 1",
                  "burn (/app.py:5) other 300000000 1",
                  "<module> (/app.py:9) python 1000000000 1"));
  ASSERT_EQ(profile.value().memory_changes.size(), 3u);
  EXPECT_EQ(profile.value().memory_changes[0].allocated.bytes, 2u << 20);
  EXPECT_EQ(profile.value().memory_changes[2].allocated.bytes, 1u << 20);  // copied
  EXPECT_EQ(profile.value().memory_peaks[0].parts[0].amount.bytes, 3u << 19);
  EXPECT_THAT(profile.value().run.command, ElementsAre("app.py", "-v"));
  EXPECT_EQ(profile.value().run_end->end_ns, 2'000'000'000u);
  EXPECT_THAT(FactTexts(profile.value()), Contains(HasSubstr("times are derived")));
  EXPECT_THAT(FactTexts(profile.value()), Contains(HasSubstr("stacks are left out")));
}

TEST(Scalene, AbsurdSharesAreCounted) {
  const auto profile = Import(File(
      R"({"lineno":5,"n_cpu_percent_python":1,"n_cpu_percent_c":-5,"n_sys_percent":NaN,"n_peak_mb":1e300})"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("values that cannot be: 3"));
}

TEST(Scalene, DamagedFilesAreReadOrRefused) {
  testing::ExpectSoundWhenDamaged(
      File(R"({"lineno":5,"start_function_line":2,"n_cpu_percent_python":30.0,"n_malloc_mb":2.0})"),
      "scalene");
}

}  // namespace
}  // namespace pyrometer::import_
