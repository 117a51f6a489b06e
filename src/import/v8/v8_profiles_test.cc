// SPDX-License-Identifier: Apache-2.0
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
using ::testing::IsEmpty;
using testing::LossTexts;
using testing::SampleTexts;
using testing::StackText;

profile::Profile Read(const std::string& text, std::string_view format) {
  auto profile = Import(text, format);
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  if (!profile.ok()) return {};
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
  return std::move(profile).value();
}

std::string Node(int id, const std::string& name, const std::string& children,
                 const std::string& more = R"("url":"file:///a%20b/app.js","lineNumber":4)") {
  return R"({"id":)" + std::to_string(id) + R"(,"callFrame":{"functionName":")" + name +
         R"(","scriptId":"1",)" + more + R"(,"columnNumber":0},"hitCount":2,"children":[)" +
         children + "]}";
}
const std::string kRoot = R"("url":"","lineNumber":-1)";

TEST(CpuProfile, ASampleLastsUntilTheNext) {
  const auto profile = Read(
      R"({"nodes":[)" + Node(1, "(root)", "2,3", kRoot) + "," + Node(3, "(idle)", "", kRoot) + "," +
          Node(2, "main", "7") + "," + Node(7, "", "") +
          R"(],"startTime":1000,"endTime":1500,"samples":[2,7,3,2],"timeDeltas":[100,50,20,30]})",
      "cpuprofile");
  EXPECT_THAT(SampleTexts(profile),
              ElementsAre("main [] native 50000 1", "main [];(anonymous) [] native 20000 1",
                          "(idle) [] other 30000 1", "main [] native 300000 1"));
  EXPECT_THAT(profile.samples.time_ns, ElementsAre(150'000, 170'000, 200'000, 500'000));
  EXPECT_EQ(profile.Text(profile.symbols[1].lines[0].file), "/a b/app.js");
  EXPECT_EQ(profile.symbols[1].lines[0].line, 5u);
  EXPECT_THAT(LossTexts(profile), IsEmpty());
}

TEST(CpuProfile, ThreadsOfOwnExports) {
  const auto profile =
      Read(R"({"nodes":[)" + Node(1, "(root)", "2", kRoot) + "," +
               Node(2, "worker (12/13)", "3", kRoot) + "," +
               Node(3, "f", "4", R"("url":"file:///app.py","lineNumber":2)") + "," +
               Node(4, "memcpy", "", R"("url":"file:///lib/libc.so.6","lineNumber":-1)") +
               R"(],"startTime":0,"endTime":9,"samples":[4,1],"timeDeltas":[0,9]})",
           "cpuprofile");
  EXPECT_THAT(SampleTexts(profile),
              ElementsAre("f (/app.py:3);memcpy [/lib/libc.so.6] native 9000 1"));
  EXPECT_EQ(profile.processes[0].info.pid, 12u);
  EXPECT_EQ(profile.threads[0].info.tid, 13u);
  EXPECT_EQ(profile.threads[0].info.name, "worker");
}

TEST(CpuProfile, WithoutSamplesHitsAreCounts) {
  const auto profile = Read(R"({"nodes":[)" + Node(1, "main", "") + "]}", "cpuprofile");
  EXPECT_THAT(SampleTexts(profile), ElementsAre("main [] native 20000000 2"));
}

TEST(CpuProfile, WhatDoesNotFitTogetherIsCounted) {
  const auto profile = Read(
      R"({"nodes":[)" + Node(1, "a", "2,9") + "," + Node(2, "b", "1,2") + "," + Node(2, "c", "") +
          R"(,{"id":4}],"startTime":0,"endTime":50,"samples":[1,77,2,4,"x",1],"timeDeltas":[1,1,-5,9,1]})",
      "cpuprofile");
  EXPECT_THAT(
      LossTexts(profile),
      ElementsAre("calls that are their own callers: 1", "calls that the file does not have: 1",
                  "calls with two callers: 1", "nodes with the number of another: 1",
                  "nodes without a frame: 1", "samples of calls that the file does not have: 1",
                  "samples out of order: 1", "samples without a time: 1"));
}

TEST(HeapProfile, ATreeOfSizes) {
  const std::string node = R"("callFrame":{"functionName":"f","url":"/app.py","lineNumber":4})";
  const auto profile = Read(
      R"-({"head":{"callFrame":{"functionName":"(root)","url":""},"selfSize":0,"children":[{)-" +
          node + R"(,"selfSize":100,"id":2,"children":[7,{)" + node +
          R"(,"selfSize":50,"children":[]},{"selfSize":-1}]}]},"samples":[]})",
      "heapprofile");
  ASSERT_EQ(profile.memory_peaks.size(), 1u);
  const auto& parts = profile.memory_peaks[0].parts;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(StackText(profile, parts[0].stack), "f (/app.py:5)");
  EXPECT_EQ(parts[0].amount.bytes, 100u);
  EXPECT_EQ(StackText(profile, parts[1].stack), "f (/app.py:5);f (/app.py:5)");
  EXPECT_EQ(parts[1].amount.bytes, 50u);
  EXPECT_THAT(LossTexts(profile), Contains("values that cannot be: 1"));
}

TEST(HeapProfile, DeepTreesAreBounded) {
  std::string text = R"({"head":)";
  for (int i = 0; i < 400'000; ++i)
    text += R"({"callFrame":{"functionName":"f","url":"/app.py"},"selfSize":1,"children":[)";
  for (int i = 0; i < 400'000; ++i) text += "]}";
  const auto profile = Read(text + "}", "heapprofile");
  EXPECT_EQ(profile.stacks.size(), 1 + ProfileMaker::kMaxDepth);
  uint64_t sum = 0;
  for (const auto& part : profile.memory_peaks[0].parts) sum += part.amount.bytes;
  EXPECT_EQ(sum, 400'000u);
}

TEST(V8Profiles, DamagedFilesAreReadOrRefused) {
  testing::ExpectSoundWhenDamaged(
      R"({"nodes":[)" + Node(1, "(root)", "2", kRoot) + "," + Node(2, "main", "") +
          R"(],"startTime":0,"endTime":5,"samples":[2,1],"timeDeltas":[1,3]})",
      "cpuprofile");
  testing::ExpectSoundWhenDamaged(
      R"({"head":{"callFrame":{"functionName":"f","url":"a.py"},"selfSize":7,"children":[{"selfSize":3}]}})",
      "heapprofile");
}

}  // namespace
}  // namespace pyrometer::import_
