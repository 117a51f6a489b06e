// SPDX-License-Identifier: Apache-2.0
#include "export/chrome/chrome_trace.h"

#include <nlohmann/json.hpp>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;
using nlohmann::json;

class ChromeTraceTest : public testing::ExchangeTest {
 protected:
  // "B main 0", "E main 3": calls and their times in seconds.
  std::vector<std::string> Calls() const {
    std::vector<std::string> calls;
    for (const json& event : Events()) {
      const std::string phase = event["ph"];
      if (phase == "B" || phase == "E")
        calls.push_back(phase + " " + event["name"].get<std::string>() + " " +
                        std::to_string(std::lround(event["ts"].get<double>() / 1e6)));
    }
    return calls;
  }
  json Events() const {
    return json::parse(Written(
        [](Exchange& from, std::ostream& out) { WriteChromeTrace(from, out); }))["traceEvents"];
  }
};

TEST_F(ChromeTraceTest, CallsLastWhileSamplesShareThem) {
  profile_.Add("main:1 > f:2", kPython, 1).Add("main:1 > g:2", kPython, 2).Add("main:1", kSleep, 3);
  EXPECT_EQ(Calls(),
            (std::vector<std::string>{"B main 0", "B f 0", "E f 1", "B g 1", "E g 3", "E main 6"}));
}

TEST_F(ChromeTraceTest, LongGapsEndAllCalls) {
  profile_.Add("main:1", kPython, 1).Add("main:1", kPython, 1);
  profile_.profile().samples.time_ns[1] += 5'000'000'000;
  EXPECT_EQ(Calls(), (std::vector<std::string>{"B main 0", "E main 1", "B main 6", "E main 7"}));
}

TEST_F(ChromeTraceTest, SumsKnowNothingOfGaps) {
  profile_.Add("main:1", kPython, 1).Add("main:1", kIoWait, 1);
  profile_.profile().samples.time_ns[1] += 500'000'000;
  const json end = Events().back();
  EXPECT_EQ(end["ph"], "E");
  EXPECT_EQ(end["args"], json({{"wall_us", 2'000'000}, {"cpu_us", 1'000'000}}));
}

TEST_F(ChromeTraceTest, MemoryIsACounter) {
  profile_.Level(2, {.rss_bytes = 77, .python_bytes = 5});
  const json events = Events();
  EXPECT_EQ(events[events.size() - 2]["args"]["python"], 5);
  EXPECT_EQ(events.back()["args"]["bytes"], 77);
  EXPECT_EQ(events.back()["ts"], 2'000'000);
}

}  // namespace
}  // namespace pyrometer::export_
