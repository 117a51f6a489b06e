// SPDX-License-Identifier: Apache-2.0
#include "import/chrome/chrome_trace.h"

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
using ::testing::IsEmpty;
using testing::LossTexts;
using testing::SampleTexts;

profile::Profile Read(const std::string& text) {
  auto profile = Import(text, "chrome");
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  if (!profile.ok()) return {};
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
  return std::move(profile).value();
}

TEST(ChromeTrace, CallsOfViztracer) {
  const auto profile = Read(
      R"json({"traceEvents": [
        {"ph":"M","pid":7,"tid":7,"name":"process_name","args":{"name":"MainProcess"}},
        {"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"worker"}},
        {"ph":"M","pid":9,"tid":9,"name":"process_name","args":{"name":"did nothing"}},
        {"pid":7,"tid":8,"ts":1000.5,"ph":"X","cat":"fee","dur":3.25,"name":"_thread.get_ident"},
        {"pid":7,"tid":8,"ts":1000,"ph":"X","cat":"fee","dur":10,"name":"run (/app/x.py:12)","args":{"a":{"b":[1]}}}],
      "viztracer_metadata":{"overflow":false,"version":"1.1"},
      "file_info":{"files":{"/app/x.py":["source\n",1]},"functions":{}}})json");
  EXPECT_THAT(SampleTexts(profile),
              ElementsAre("run (/app/x.py:12) python 500 1",
                          "run (/app/x.py:12);_thread.get_ident [] native 3250 1",
                          "run (/app/x.py:12) python 6250 1"));
  EXPECT_THAT(profile.samples.time_ns, ElementsAre(500, 3750, 10'000));
  ASSERT_EQ(profile.processes.size(), 1u);
  EXPECT_THAT(profile.processes[0].info.argv, ElementsAre("MainProcess"));
  EXPECT_EQ(profile.threads[0].info.name, "worker");
  EXPECT_EQ(profile.sources[0].text, "source\n");
  EXPECT_THAT(FactTexts(profile), Contains("imported from chrome (viztracer 1.1)"));
}

TEST(ChromeTrace, Kineto) {
  const auto profile = Read(
      R"json({"schemaVersion":1,"deviceProperties":[{"id":0}],"baseTimeNanoseconds":1789500000000000000,"traceEvents":[
        {"name":"process_name","ph":"M","ts":1.000,"pid":0,"tid":0,"args":{"name":"python"}},
        {"name":"process_labels","ph":"M","ts":1.000,"pid":0,"tid":0,"args":{"labels":"GPU 0"}},
        {"name":"thread_name","ph":"M","ts":1.000,"pid":0,"tid":7,"args":{"name":"stream 7"}},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":5,"tid":5,"ts":110.000,"dur":20.000,"args":{"Input Dims":[[1]]}},
        {"ph":"X","cat":"python_function","name":"torch/nn/m.py(12): forward","pid":5,"tid":5,"ts":100.000,"dur":50.000},
        {"ph":"X","cat":"python_function","name":"<built-in method mm>","pid":5,"tid":5,"ts":105.000,"dur":40.000},
        {"ph":"X","cat":"kernel","name":"gemm(int, float)","pid":0,"tid":7,"ts":140.000,"dur":30.000},
        {"ph":"X","cat":"Trace","ts":100.000,"dur":90.000,"pid":"Spans","tid":"PyTorch Profiler","name":"PyTorch Profiler (0)"},
        {"ph":"s","id":1,"pid":5,"tid":5,"ts":112.0,"cat":"ac2g","name":"ac2g"},
        {"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":5,"tid":5,"ts":112.0,"args":{"Bytes":5}}]
})json");
  EXPECT_THAT(
      SampleTexts(profile),
      ElementsAre("forward (torch/nn/m.py:12) python 5000 1",
                  "forward (torch/nn/m.py:12);<built-in method mm> [] native 5000 1",
                  "forward (torch/nn/m.py:12);<built-in method mm> [];aten::mm [] native 20000 1",
                  "forward (torch/nn/m.py:12);<built-in method mm> [] native 15000 1",
                  "forward (torch/nn/m.py:12) python 5000 1",
                  "gemm(int, float) [] native 30000 1"));
  EXPECT_EQ(profile.codes[0].first_line, 12u);
  EXPECT_THAT(profile.processes[1].info.argv, ElementsAre("python GPU 0"));
  EXPECT_EQ(profile.threads[1].info.name, "stream 7");
  EXPECT_EQ(profile.run.start_unix_ns, 1789500000000100000u);
  ASSERT_EQ(profile.regions.size(), 1u);
  EXPECT_EQ(profile.Text(profile.regions[0].name), "PyTorch Profiler (0)");
  EXPECT_EQ(profile.threads[profile.regions[0].thread.value].info.name, "PyTorch Profiler");
  EXPECT_THAT(FactTexts(profile), Contains("imported from chrome (PyTorch profiler)"));
  EXPECT_THAT(FactTexts(profile), Contains("note: left out: points in time (1), arrows (1)"));
  EXPECT_THAT(LossTexts(profile), IsEmpty());
}

TEST(ChromeTrace, BeginningsAndEndsWithPlaces) {
  const auto profile = Read(
      R"json([{"name":"main","ph":"B","pid":1,"tid":2,"ts":0,"args":{"file":"app.py","line":3}},
          {"name":"work","ph":"B","pid":1,"tid":2,"ts":1.5,"args":{"file":"app.py","line":7}},
          {"name":"work","ph":"E","pid":1,"tid":2,"ts":4,"args":{"wall_us":2.5}},
          {"ph":"E","pid":1,"tid":2,"ts":5},
          {"name":"rss","ph":"C","pid":1,"ts":5,"args":{"bytes":7}})json");
  EXPECT_THAT(SampleTexts(profile), ElementsAre("main (app.py:3) python 1500 1",
                                                "main (app.py:3);work (app.py:7) python 2500 1",
                                                "main (app.py:3) python 1000 1"));
  EXPECT_THAT(FactTexts(profile), Contains("note: left out: counter values (1)"));
  // A list of events need not be closed.
  EXPECT_THAT(LossTexts(profile), IsEmpty());
}

TEST(ChromeTrace, AsynchronousEventsAreRegions) {
  const auto profile = Read(
      R"json([{"name":"x","ph":"X","pid":1,"tid":2,"ts":10,"dur":1},
          {"name":"request","cat":"web","ph":"b","id":1,"pid":1,"tid":2,"ts":0},
          {"name":"request","cat":"web","ph":"b","id":2,"pid":1,"tid":2,"ts":1},
          {"name":"part","cat":"web","ph":"b","id":1,"pid":1,"tid":2,"ts":2},
          {"name":"part","cat":"web","ph":"e","id":1,"pid":1,"tid":2,"ts":3},
          {"name":"request","cat":"web","ph":"e","id":1,"pid":1,"tid":2,"ts":4},
          {"name":"request","cat":"web","ph":"e","id":2,"pid":1,"tid":2,"ts":5},
          {"name":"other","cat":"else","ph":"e","id2":{"local":"0x1"},"pid":1,"tid":2,"ts":5},
          {"name":"open","cat":"web","ph":"b","id":"3","pid":1,"tid":2,"ts":6}])json");
  std::vector<std::string> regions;
  for (const format::RegionInfo& region : profile.regions)
    regions.push_back(profile.Text(region.name) + " " + std::to_string(region.begin_ns) + " " +
                      std::to_string(region.length_ns));
  EXPECT_THAT(regions, ElementsAre("request 0 4000", "request 1000 4000", "part 2000 1000"));
  EXPECT_THAT(LossTexts(profile),
              ElementsAre("ends of regions that have not begun: 1", "regions without an end: 1"));
}

TEST(ChromeTrace, EventsThatMakeNoSenseAreCounted) {
  const auto profile = Read(
      R"json([{"name":"f","ph":"X","pid":1,"tid":1,"ts":5,"dur":2}, 7, {}, {"ph":"X","ts":1},
          {"ph":"X","ts":NaN,"dur":3},{"ph":"X","ts":1,"dur":-3},{"ph":"B"},{"ph":"X","ts":1e300,"dur":1},
          {"ph":"X","ts":1e14,"dur":"x"},{"ph":5,"ts":[]},{"ph":"O"},
          {"name":"neg","ph":"X","pid":-1,"tid":-7,"ts":6,"dur":1e-3}])json");
  EXPECT_THAT(SampleTexts(profile), ElementsAre("f [] native 2000 1", "neg [] native 1 1"));
  EXPECT_EQ(profile.threads[1].info.name, "-7");
  EXPECT_THAT(LossTexts(profile),
              ElementsAre("calls without a length: 3", "events that make no sense: 3",
                          "events without a time: 3"));
}

TEST(ChromeTrace, DeepCallsAreBounded) {
  std::string text = "[";
  for (int i = 0; i < 1'000'000; ++i)
    text += R"json({"name":"f","ph":"B","pid":1,"tid":1,"ts":)json" + std::to_string(i) + "},";
  const auto profile = Read(text);
  EXPECT_EQ(profile.stacks.size(), 1 + ProfileMaker::kMaxDepth);
  EXPECT_THAT(LossTexts(profile), Contains("calls without an end: 1000000"));
}

TEST(ChromeTrace, DamagedFilesAreReadOrRefused) {
  testing::ExpectSoundWhenDamaged(
      R"json({"schemaVersion":1,"traceEvents":[{"name":"f (a.py:3)","ph":"X","pid":1,"tid":1,"ts":5,"dur":2},
          {"name":"g","ph":"B","pid":1,"tid":"t","ts":1.5},{"ph":"E","pid":1,"tid":"t","ts":3},
          {"name":"r","cat":"c","ph":"b","id":1,"ts":0},{"name":"r","cat":"c","ph":"e","id":1,"ts":9}]
})json",
      "chrome");
}

}  // namespace
}  // namespace pyrometer::import_
