// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

using testing::AmountTexts;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ExpectSoundWhenDamaged;
using testing::FactTexts;
using ::testing::HasSubstr;
using testing::Import;
using ::testing::IsEmpty;
using testing::LossTexts;
using testing::SampleTexts;

constexpr char kClock[] =
    "# cmdline : perf record\n"
    "python3 12/12 100.500000:    2000000 cpu-clock:ppp: \n"
    "\tffffffff815d2a66 do_read+0x36 ([kernel.kallsyms])\n"
    "\t           98efa cfree@GLIBC_2.2.5+0xa (/lib/libc.so.6)\n"
    "\t    7fdc5e5cd28e py::burn.<locals>.f:/app/prog.py+0x5 (/tmp/perf-12.map)\n"
    "\n"
    "my worker 12/13 [001] 100.600000123:    1000000 cpu-clock:ppp: \n"
    "\t    7f16fb55f8a0 std::map<int, int>::find (const int&)+0x1 (/lib/a b.so)\n"
    "\t               0 [unknown] ([unknown])\n"
    "\n";

TEST(PerfScript, NanosecondsOfClocks) {
  const auto profile = Import(kClock);
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("burn.<locals>.f (/app/prog.py:0);cfree@GLIBC_2.2.5 [/lib/libc.so.6];"
                          "do_read [[kernel.kallsyms]] kernel 2000000 1",
                          "[unknown] [];std::map<int, int>::find (const int&) [/lib/a b.so] native "
                          "1000000 1"));
  EXPECT_THAT(profile.value().samples.time_ns, ElementsAre(0, 100'000'123));
  EXPECT_EQ(profile.value().processes.size(), 1u);
  EXPECT_THAT(profile.value().processes[0].info.argv, ElementsAre("python3"));
  EXPECT_EQ(profile.value().threads[1].info.name, "my worker");
  EXPECT_EQ(profile.value().threads[1].info.tid, 13u);
  EXPECT_THAT(LossTexts(profile.value()), IsEmpty());
}

TEST(PerfScript, OtherEventsAreCounts) {
  const char text[] =
      "a 7 1.0: 500 cpu_core/cycles/P: \n\t10 f+0x1 (/bin/a)\n\n"
      "a 7 2.0: 600 cycles:u: \n\t10 f+0x1 (/bin/a)\n\n"
      "a 7 3.0: 9 instructions: \n\t10 f+0x1 (/bin/a)\n\n";
  const auto profile = Import(text);
  EXPECT_THAT(SampleTexts(profile.value()), IsEmpty());
  EXPECT_THAT(AmountTexts(profile.value()),
              ElementsAre("f [/bin/a] cycles 500 events", "f [/bin/a] cycles 600 events"));
  EXPECT_EQ(profile.value().amounts[1].time_ns, 1'000'000'000u);
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("samples of other events than cycles: 1"));
  EXPECT_THAT(FactTexts(profile.value()), Contains(HasSubstr("processes are not told apart")));
}

TEST(PerfScript, WithoutTimesOrPeriods) {
  const auto period = Import("a 7  500 task-clock: \n\t10 f+0x1 (/bin/a)\n");
  EXPECT_THAT(SampleTexts(period.value()), ElementsAre("f [/bin/a] native 500 1"));
  const auto neither = Import("a 7 cycles: \n\t10 f+0x1 (/bin/a)\n");
  EXPECT_THAT(SampleTexts(neither.value()), ElementsAre("f [/bin/a] native 10000000 1"));
  EXPECT_THAT(FactTexts(neither.value()), Contains(HasSubstr("taken for 10 ms")));
}

TEST(PerfScript, OtherTextIsNotTakenForIt) {
  for (const std::string_view text : {"hello world: this is\n\ttext\n", "a;b 1\n",
                                      "a 7 1.0: cycles: \n", "a 7 1.0: cycles: \nb\n"})
    EXPECT_FALSE(RecognisesPerfScript(text, true)) << text;
}

TEST(PerfScript, WhateverIsBroken) { ExpectSoundWhenDamaged(kClock, "perf"); }

}  // namespace
}  // namespace pyrometer::import_
