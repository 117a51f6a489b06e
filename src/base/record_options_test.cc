// SPDX-License-Identifier: Apache-2.0
#include "base/record_options.h"

#include <gtest/gtest.h>

#include "base/record_options_text.h"

namespace pyrometer::base {
namespace {

TEST(RecordOptions, TextRoundTrips) {
  RecordOptions options;
  ASSERT_TRUE(
      ParseOptions("session=/tmp/s;rate=1000;clock=perf;native=0;off=1;profile_builtin=1;"
                   "cpu=0;memory=0;mem_interval=65536;duration_ms=1500",
                   &options));
  RecordOptions back;
  ASSERT_TRUE(ParseOptions(OptionsText(options), &back));
  EXPECT_STREQ(back.session, "/tmp/s");
  EXPECT_EQ(back.rate_hz, 1000u);
  EXPECT_EQ(back.clock, Clock::kPerf);
  EXPECT_FALSE(back.native);
  EXPECT_TRUE(back.off);
  EXPECT_TRUE(back.profile_builtin);
  EXPECT_FALSE(back.cpu);
  EXPECT_FALSE(back.memory);
  EXPECT_EQ(back.mem_interval, 65536u);
  EXPECT_EQ(back.duration_ms, 1500u);
}

TEST(RecordOptions, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"speed=1", "rate", "rate=", "rate=10001", "rate=1x", "clock=sun",
                           "native=yes", "rate=99999999999"}) {
    RecordOptions options;
    EXPECT_FALSE(ParseOptions(text, &options)) << text;
  }
  RecordOptions options;
  EXPECT_FALSE(SetOption(&options, "session", std::string(600, 'x')));
}

}  // namespace
}  // namespace pyrometer::base
