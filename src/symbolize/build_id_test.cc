// SPDX-License-Identifier: Apache-2.0
#include "symbolize/build_id.h"

#include <gtest/gtest.h>

namespace pyrometer::symbolize {
namespace {

const std::string kSamples = PYRO_SAMPLES;

TEST(BuildIdTest, IsReadFromTheNote) {
  const auto id = ReadBuildId(kSamples + "/debug.so");
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(id->size(), 20u);  // SHA-1
}

TEST(BuildIdTest, SurvivesStripping) {
  EXPECT_EQ(ReadBuildId(kSamples + "/plain.so").value(),
            ReadBuildId(kSamples + "/stripped.so").value());
  EXPECT_EQ(ReadBuildId(kSamples + "/debug.so").value(),
            ReadBuildId(kSamples + "/linked.so.debug").value());
}

TEST(BuildIdTest, WhatIsNotAnElfFileIsAnError) {
  EXPECT_FALSE(ReadBuildId("/nowhere/at/all").ok());
  EXPECT_FALSE(ReadBuildId("/dev/null").ok());
  EXPECT_FALSE(ReadBuildId("/").ok());
  EXPECT_FALSE(ReadBuildId("").ok());
  EXPECT_FALSE(ReadBuildId("/proc/self/maps").ok());
}

TEST(BuildIdTest, Hex) {
  EXPECT_EQ(BuildIdToHex(std::string_view("\x01\xfe\x00", 3)), "01fe00");
  EXPECT_EQ(BuildIdToHex(""), "");
}

}  // namespace
}  // namespace pyrometer::symbolize
