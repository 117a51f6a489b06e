// SPDX-License-Identifier: Apache-2.0
#include "import/callgrind/callgrind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"

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

// main calls once, which calls leaf; main calls leaf as well.
constexpr char kFile[] =
    "# callgrind format\n"
    "version: 1\n"
    "creator: callgrind-3.19.0\n"
    "pid: 7\n"
    "cmd: ./t\n"
    "positions: instr line\n"
    "events: Ir Dr\n"
    "summary: 115 3\n"
    "\n"
    "ob=(1) /bin/t\n"
    "fl=(1) t.c\n"
    "fn=(1) main\n"
    "0x10 5 10 1\n"
    "cfn=(2) once\n"
    "calls=1 0x20 8\n"
    "+1 +1 80 2\n"
    "cfn=(3) leaf\n"
    "calls=2 0x40 12\n"
    "* +1 25\n"
    "\n"
    "fn=(2)\n"
    "jcnd=1/2 0x20 9\n"
    "0x20 8\n"
    "0x20 8 30 2\n"
    "cfn=(3)\n"
    "calls=1 0x40 12\n"
    "* * 50\n"
    "fi=(2) t.h\n"
    "+4 3 0\n"
    "fe=(1)\n"
    "fn=(3)\n"
    "0x40 12 75\n"
    "totals: 115 3\n";

TEST(Callgrind, OwnCostsBelowCallersThatAreCertain) {
  const auto profile = Import(kFile);
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()), IsEmpty());
  EXPECT_THAT(AmountTexts(profile.value()),
              ElementsAre("main [/bin/t] Ir 10 count", "main [/bin/t] Dr 1 count",
                          "main [/bin/t];once [/bin/t] Ir 30 count",
                          "main [/bin/t];once [/bin/t] Dr 2 count", "leaf [/bin/t] Ir 75 count"));
  EXPECT_THAT(LossTexts(profile.value()), IsEmpty());
  EXPECT_THAT(FactTexts(profile.value()), Contains(HasSubstr("knows calls, not stacks")));
  EXPECT_EQ(profile.value().processes[0].info.pid, 7u);
  // The call of once stands on line 6, its own costs on line 8.
  const profile::Profile& p = profile.value();
  EXPECT_EQ(p.symbols[p.stacks[p.stacks[p.amounts[2].stack.value].parent.value].frame.value]
                .lines[0]
                .line,
            6u);
}

TEST(Callgrind, OwnEventsHaveTheirMeaning) {
  const auto profile = Import(
      "version: 1\nevents: samples cpu python wall allocated\n\nfl=(1) /a.py\nfn=(1) f\n"
      "3 4 100 100 150 4096\nfl=(2) /lib/libc.so.6\nfn=(2) read\n0 1 7 0 7\n");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("f (/a.py:3) python 100 3", "f (/a.py:3) other 50 1",
                          "read [/lib/libc.so.6] native 7 1"));
  EXPECT_EQ(profile.value().memory_changes[0].allocated.bytes, 4096u);
}

TEST(Callgrind, RecursionAndCirclesEnd) {
  const auto profile = Import(
      "events: Ir\nfn=a\n1 10\ncfn=b\ncalls=1 1\n2 500\nfn=b\n3 20\ncfn=a\ncalls=1 1\n4 500\n"
      "cfn=b\ncalls=1 1\n5 500\n");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile.value().amounts.size(), 2u);
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
}

TEST(Callgrind, PartsShareNumbersOfNames) {
  const auto profile = Import(
      "# callgrind format\nevents: Ir\npart: 1\nfn=(1) a\n1 10\nfn=(2) c\n1 5\n"
      "part: 2\nthread: 2\nevents: Ir\nfn=(1) b\n1 20\nfn=(2)\n1 6\n");
  EXPECT_THAT(AmountTexts(profile.value()), ElementsAre("a [] Ir 10 count", "c [] Ir 5 count",
                                                        "b [] Ir 20 count", "c [] Ir 6 count"));
  EXPECT_EQ(profile.value().threads.size(), 2u);
}

TEST(Callgrind, LinesThatMakeNoSenseAreCounted) {
  const auto profile =
      Import("events: Ir\n5 6\nfn=(9)\n1 x\n1 99\nnonsense\nfoo=1\n+99999999999999999999 1\n",
             "callgrind");
  EXPECT_THAT(AmountTexts(profile.value()), ElementsAre("<unknown> [] Ir 99 count"));
  EXPECT_THAT(LossTexts(profile.value()),
              ElementsAre("lines that make no sense: 5", "names that are missing: 1"));
}

TEST(Callgrind, WhateverIsBroken) { ExpectSoundWhenDamaged(kFile, "callgrind"); }

}  // namespace
}  // namespace pyrometer::import_
