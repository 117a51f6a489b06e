// SPDX-License-Identifier: Apache-2.0
#include "import/collapsed/collapsed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Collapsed, StacksWithCounts) {
  const auto profile = Import(
      "main (app.py:3);work (app.py:7) 12\n"
      "main (app.py:3);work (app.py:7);memcpy [libc.so.6] 3\r\n"
      "main (app.py:3);read_[k] 1\n");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:3);work (app.py:7) python 120000000 12",
                          "main (app.py:3);work (app.py:7);memcpy [libc.so.6] native 30000000 3",
                          "main (app.py:3);read [] kernel 10000000 1"));
  EXPECT_THAT(FactTexts(profile.value()), Contains("imported from collapsed"));
  EXPECT_THAT(FactTexts(profile.value()), Contains(HasSubstr("taken for 10 ms")));
  EXPECT_EQ(profile.value().run_end->end_ns, 160'000'000u);
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
}

TEST(Collapsed, CountsAreWhatTheUserSays) {
  const auto time = Import("main 5\n", "collapsed", {.count = {.ns = 1000, .given = true}});
  EXPECT_THAT(SampleTexts(time.value()), ElementsAre("main [] native 5000 1"));
  EXPECT_THAT(FactTexts(time.value()), Not(Contains(HasSubstr("taken for"))));

  const auto memory = Import("main 4096\n", "collapsed", {.count = {.ns = 0, .given = true}});
  ASSERT_EQ(memory.value().memory_peaks.size(), 1u);
  EXPECT_EQ(memory.value().memory_peaks[0].parts[0].amount.bytes, 4096u);
  EXPECT_EQ(profile::testing::BrokenInvariant(memory.value()), "");
}

TEST(Collapsed, ProcessesAndThreadsOfPySpy) {
  const auto profile = Import(
      "process 12:\"python app.py\";thread (0xA): MainThread;main (app.py:1) 2\n"
      "process 12:\"python app.py\";thread (0xB): worker;main (app.py:1) 3\n");
  ASSERT_EQ(profile.value().processes.size(), 1u);
  EXPECT_EQ(profile.value().processes[0].info.pid, 12u);
  EXPECT_THAT(profile.value().processes[0].info.argv, ElementsAre("python app.py"));
  ASSERT_EQ(profile.value().threads.size(), 2u);
  EXPECT_EQ(profile.value().threads[1].info.tid, 11u);
  EXPECT_EQ(profile.value().threads[1].info.name, "worker");
  EXPECT_THAT(SampleTexts(profile.value()), ElementsAre("main (app.py:1) python 20000000 2",
                                                        "main (app.py:1) python 30000000 3"));
}

TEST(Collapsed, OtherTextIsNotTakenForIt) {
  for (const std::string_view text :
       {"{\"a\": 1}", "hello world\n", "# only a comment\n", "a;b 1.5\n", "a\0b 1\n"})
    EXPECT_FALSE(Import(text).ok()) << text;
}

TEST(Collapsed, LinesThatMakeNoSenseAreCounted) {
  const auto profile = Import("main 1\nnonsense\nmain 99999999999999999999\n;;; 2\n", "collapsed");
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("lines that are no stack with a count: 2"));
  EXPECT_EQ(profile.value().samples.size(), 2u);
}

TEST(Collapsed, AbsurdCountsAreRefusedAndCounted) {
  const auto profile = Import("main 1\nmain 18446744073709551615\n");
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("values that cannot be: 1"));
}

TEST(Collapsed, DeepStacksLoseTheirMiddle) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "f" + std::to_string(i) + " (app.py:1);";
  text.back() = ' ';
  const auto profile = Import(text + "7\n");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile.value().stacks.size(), 1 + ProfileMaker::kMaxDepth);
  const std::string stack = SampleTexts(profile.value())[0];
  EXPECT_THAT(stack, ::testing::StartsWith("f0 (app.py:1);f1 "));
  EXPECT_THAT(stack, HasSubstr("f499 (app.py:1);<frames left out> [];f998501 "));
  EXPECT_THAT(stack, HasSubstr(";f999999 (app.py:1) python"));
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("stacks with more than 2000 frames: 1"));
}

TEST(Collapsed, EveryCutIsReadOrRefused) {
  const std::string text = "main (app.py:3);work (app.py:7) 12\nmain;x_[k] 3\n";
  for (size_t i = 0; i < text.size(); ++i) {
    const auto profile = Import(text.substr(0, i), "collapsed");
    if (!profile.ok()) continue;
    EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
  }
}

}  // namespace
}  // namespace pyrometer::import_
