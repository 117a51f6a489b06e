// SPDX-License-Identifier: Apache-2.0
#include "export/pstats/pstats.h"

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;

class PstatsTest : public testing::ExchangeTest {};

// Byte by byte, as Python 3 writes version 2 of marshal: {('app.py', 5, 'f'): (3, 3, 0.5, 0.5, {})}
TEST_F(PstatsTest, OneFunction) {
  profile_.Add("f@5:6", kPython, 0.5, 3);
  const std::string half("g\0\0\0\0\0\0\xe0\x3f", 9), three("i\3\0\0\0", 5);
  const std::string key = std::string("(\3\0\0\0u\6\0\0\0app.py", 16) +
                          std::string("i\5\0\0\0", 5) + std::string("u\1\0\0\0f", 6);
  EXPECT_EQ(Written(WritePstats, {}),
            "{" + key + std::string("(\5\0\0\0", 5) + three + three + half + half + "{00");
}

TEST_F(PstatsTest, OnlyFunctionsWithTheMetric) {
  AddExample();
  EXPECT_EQ(Written(WritePstats, {.metric = Metric::kSleep}), "{0");
  const std::string waits = Written(WritePstats, {.metric = Metric::kIoWait});
  EXPECT_NE(waits.find("read"), waits.npos);
  EXPECT_EQ(Written(WritePstats, {}).find("read"), std::string::npos);
}

}  // namespace
}  // namespace pyrometer::export_
