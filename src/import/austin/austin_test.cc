// SPDX-License-Identifier: Apache-2.0
#include "import/austin/austin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ExpectSoundWhenDamaged;
using testing::FactTexts;
using ::testing::HasSubstr;
using testing::Import;
using testing::LossTexts;
using testing::SampleTexts;

constexpr char kWall[] =
    "# austin: 3.7.0\n"
    "# interval: 1000\n"
    "# mode: wall\n"
    "\n"
    "P12;T0:12;app.py:main:3;app.py:work:7 1500\n"
    "P12;T0:13;app.py:main:3;:GC: 20\n"
    "P12;T0:12;app.py:main:3;kernel:do_read:0 30\n"
    "P12;T0:13 5\n"
    "# duration: 2000\n";

TEST(Austin, MicrosecondsByThread) {
  const auto profile = Import(kWall);
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:3);work (app.py:7) python 1500000 1",
                          "main (app.py:3);<garbage collection> [] native 20000 1",
                          "main (app.py:3);do_read [] kernel 30000 1", " native 5000 1"));
  EXPECT_EQ(profile.value().processes[0].info.pid, 12u);
  EXPECT_EQ(profile.value().processes[0].info.sample_period_ns, 1'000'000u);
  EXPECT_EQ(profile.value().threads[1].info.tid, 13u);
  EXPECT_THAT(FactTexts(profile.value()), Contains("imported from austin (austin 3.7.0)"));
  EXPECT_THAT(FactTexts(profile.value()), Contains(HasSubstr("not told from waiting")));
}

TEST(Austin, AllMetrics) {
  const auto profile = Import(
      "# austin: 3.7.0\n# mode: full\nP1;T0:1;a.py:f:2 10,0,4096\nP1;T0:1;a.py:f:2 20,1,-100\n");
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("f (a.py:2) python 10000 1", "f (a.py:2) other 20000 1"));
  ASSERT_EQ(profile.value().memory_changes.size(), 1u);
  EXPECT_EQ(profile.value().memory_changes[0].allocated.bytes, 4096u);
  EXPECT_THAT(FactTexts(profile.value()), Contains("note: what the process shrank by is left out"));
}

TEST(Austin, MemoryOnly) {
  const auto profile = Import("# austin: 3.7.0\n# mode: memory\nP1;T1;a.py:f:2 4096\n");
  EXPECT_EQ(profile.value().samples.size(), 0u);
  EXPECT_EQ(profile.value().memory_changes[0].allocated.bytes, 4096u);
}

TEST(Austin, WithoutMetadata) {
  EXPECT_TRUE(RecognisesAustin("P1;T0:1;a.py:f:2 10\n", true));
  for (const std::string_view text :
       {"P1;f 10\n", "a.py:f:2 10\n", "Px;T1;f 1\n", "P1;T1;f 1,2\n", "#\n"})
    EXPECT_FALSE(RecognisesAustin(text, true)) << text;
}

TEST(Austin, LinesThatMakeNoSenseAreCounted) {
  const auto profile = Import("# austin: 1\nP1;T1;f 1\nnonsense\nP1;T1;f 1,2,3,4\nP1;T1;f -5\n");
  EXPECT_EQ(profile.value().samples.size(), 1u);
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("lines that are no stack with its metrics: 2",
                                                      "values that cannot be: 1"));
}

TEST(Austin, WhateverIsBroken) { ExpectSoundWhenDamaged(kWall, "austin"); }

}  // namespace
}  // namespace pyrometer::import_
