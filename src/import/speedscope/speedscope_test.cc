// SPDX-License-Identifier: Apache-2.0
#include "import/speedscope/speedscope.h"

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

std::string File(const std::string& profiles, const std::string& exporter = "test") {
  return R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":")" +
         exporter + R"(","profiles":[)" + profiles +
         R"(],"shared":{"frames":[{"name":"main","file":"app.py","line":3},
            {"name":"work","file":"app.py","line":7},{"name":"memcpy","file":"/lib/libc.so.6"},
            {"name":"hidden"}]}})";
}

TEST(Speedscope, SamplesFollowEachOther) {
  const auto profile = Import(File(
      R"({"type":"sampled","name":"Process 12 Thread 0x22 \"MainThread\"","unit":"seconds",
          "startValue":1,"endValue":1.5,"samples":[[0],[0,1],[0,1,2],[]],"weights":[0.01,0.02,0.1,0]})"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(
      SampleTexts(profile.value()),
      ElementsAre("main (app.py:3) python 10000000 1",
                  "main (app.py:3);work (app.py:7) python 20000000 1",
                  "main (app.py:3);work (app.py:7);memcpy [/lib/libc.so.6] native 100000000 1"));
  EXPECT_THAT(profile.value().samples.time_ns, ElementsAre(10'000'000, 30'000'000, 130'000'000));
  EXPECT_EQ(profile.value().processes[0].info.pid, 12u);
  EXPECT_EQ(profile.value().threads[0].info.tid, 0x22u);
  EXPECT_EQ(profile.value().threads[0].info.name, "MainThread");
  EXPECT_THAT(FactTexts(profile.value()), ElementsAre("imported from speedscope (test)"));
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
}

TEST(Speedscope, CallsHaveTimes) {
  const auto profile = Import(File(
      R"({"type":"evented","name":"t","unit":"microseconds","startValue":-5,"endValue":100,"events":[
          {"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":10.5},{"type":"C","frame":1,"at":20},
          {"type":"O","frame":3,"at":20},{"type":"C","frame":3,"at":20},{"type":"C","frame":0,"at":50}]})"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(
      SampleTexts(profile.value()),
      ElementsAre("main (app.py:3) python 10500 1", "main (app.py:3);work (app.py:7) python 9500 1",
                  "main (app.py:3) python 30000 1"));
  EXPECT_THAT(profile.value().samples.time_ns, ElementsAre(15'500, 25'000, 55'000));
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre());
}

TEST(Speedscope, CallsThatDoNotMatchAreCounted) {
  const auto profile = Import(File(
      R"({"type":"evented","name":"t","unit":"none","events":[
          {"type":"C","frame":2,"at":0},{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":2},
          {"type":"C","frame":0,"at":5},{"type":"O","frame":9,"at":4},{"type":"X"},{"type":"O","frame":3,"at":6}]})"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(
      SampleTexts(profile.value()),
      ElementsAre("main (app.py:3) python 20000000 2",
                  "main (app.py:3);work (app.py:7) python 30000000 3", " native 10000000 1"));
  EXPECT_THAT(LossTexts(profile.value()),
              ElementsAre("calls without an end: 3", "ends of calls that have not begun: 1",
                          "events out of order: 1", "events that make no sense: 1",
                          "frames that the file does not have: 1"));
}

TEST(Speedscope, BytesAreMemory) {
  const auto profile = Import(File(
      R"({"type":"sampled","name":"heap","unit":"bytes","samples":[[0,1]],"weights":[4096]})"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  ASSERT_EQ(profile.value().memory_peaks.size(), 1u);
  EXPECT_EQ(profile.value().memory_peaks[0].parts[0].amount.bytes, 4096u);
  EXPECT_THAT(FactTexts(profile.value()), Contains(HasSubstr("in use at the peak")));
}

TEST(Speedscope, OwnMetricsComeTogetherAgain) {
  const auto one = [](const char* metric, const char* unit, const char* values) {
    return std::string(R"({"type":"sampled","name":")") + metric +
           R"-(: MainThread (12/13)","unit":")-" + unit + R"(","samples":[[0],[0,1]],"weights":)" +
           values + "}";
  };
  const auto profile = Import(File(
      one("samples", "none", "[7,1]") + "," + one("cpu", "nanoseconds", "[30,5]") + "," +
          one("python", "nanoseconds", "[20,5]") + "," + one("kernel", "nanoseconds", "[10,0]") +
          "," + one("sleep", "nanoseconds", "[1,0]") + "," + one("wall", "nanoseconds", "[31,5]") +
          "," + one("allocated", "bytes", "[0,99]"),
      "pyrometer 1.0"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(
      SampleTexts(profile.value()),
      ElementsAre("main (app.py:3) python 20 5", "main (app.py:3) kernel 10 1",
                  "main (app.py:3) sleep 1 1", "main (app.py:3);work (app.py:7) python 5 1"));
  EXPECT_EQ(profile.value().threads[0].info.tid, 13u);
  EXPECT_EQ(profile.value().memory_changes[0].allocated.bytes, 99u);
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
}

TEST(Speedscope, AbsurdValuesAreCounted) {
  const auto profile = Import(File(
      R"({"type":"sampled","name":"t","unit":"seconds","samples":[[0],[0],[0],[0],[-1,"x",1e99],[0]],
          "weights":[1,-1,1e300,NaN,2]})"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:3) python 1000000000 1", " native 2000000000 1"));
  EXPECT_THAT(LossTexts(profile.value()),
              ElementsAre("frames that the file does not have: 3", "samples without a weight: 1",
                          "values that cannot be: 3"));
}

TEST(Speedscope, DeepStacksAreBounded) {
  std::string events;
  for (int i = 0; i < 1'000'000; ++i)
    events += R"({"type":"O","frame":1,"at":)" + std::to_string(i) + "},";
  events.pop_back();
  const auto profile =
      Import(File(R"({"type":"evented","name":"t","unit":"seconds","events":[)" + events + "]}"));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile.value().stacks.size(), 1 + ProfileMaker::kMaxDepth);
  EXPECT_EQ(profile.value().samples.size(), 999'999u);
}

TEST(Speedscope, DamagedFilesAreReadOrRefused) {
  testing::ExpectSoundWhenDamaged(
      File(R"({"type":"evented","name":"t","unit":"none","events":[{"type":"O","frame":0,"at":0},
          {"type":"C","frame":0,"at":5}]},{"type":"sampled","name":"s","unit":"bytes","samples":[[0,1]],"weights":[4]})"),
      "speedscope");
}

}  // namespace
}  // namespace pyrometer::import_
