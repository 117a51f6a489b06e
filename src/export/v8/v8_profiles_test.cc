// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "export/core/testing/exchange_fixture.h"
#include "export/v8/cpuprofile.h"
#include "export/v8/heapprofile.h"

namespace pyrometer::export_ {
namespace {

using nlohmann::json;

class V8ProfilesTest : public testing::ExchangeTest {
 protected:
  json Cpu(const ExchangeOptions& options = {}) const {
    return json::parse(Written(WriteCpuProfile, options));
  }
  static const json& Node(const json& profile, const json& id) {
    for (const json& node : profile["nodes"])
      if (node["id"] == id) return node;
    throw std::out_of_range("no such node");
  }
};

TEST_F(V8ProfilesTest, SamplesLastUntilTheNext) {
  AddExample();
  const json profile = Cpu();
  ASSERT_EQ(profile["samples"].size(), profile["timeDeltas"].size());
  EXPECT_EQ(profile["timeDeltas"], json({0, 1'000'000, 2'000'000, 8'000'000}));
  EXPECT_EQ(profile["endTime"], 11'000'000);
  EXPECT_EQ(profile["samples"].back(), 1);
  const json& first = Node(profile, profile["samples"][0]);
  EXPECT_EQ(first["callFrame"]["functionName"], "f");
  EXPECT_EQ(first["callFrame"]["url"], "app.py");
  EXPECT_EQ(first["hitCount"], 10);
  EXPECT_EQ(first["positionTicks"], json({{{"line", 3}, {"ticks", 10}}}));
}

TEST_F(V8ProfilesTest, ThreadsAreApart) {
  AddExample();
  const json profile = Cpu();
  ASSERT_EQ(profile["nodes"][0]["children"].size(), 2u);
  EXPECT_EQ(Node(profile, profile["nodes"][0]["children"][1])["callFrame"]["functionName"],
            "worker (100/101)");
}

TEST_F(V8ProfilesTest, HeapIsATree) {
  AddExample();
  const json profile = json::parse(Written(WriteHeapProfile, {}));
  const json& head = profile["head"];
  EXPECT_EQ(head["selfSize"], 0);
  ASSERT_EQ(head["children"].size(), 1u);
  EXPECT_EQ(head["children"][0]["callFrame"]["functionName"], "main");
  EXPECT_EQ(head["children"][0]["selfSize"], 3500);
  EXPECT_EQ(profile["samples"][0]["size"], 3500);
}

TEST_F(V8ProfilesTest, PathsAreAddresses) {
  profile_.Add("/a b/ü#.py|f@7:8", format::Activity::kPython, 1);
  const json profile = Cpu();
  const json& frame = Node(profile, profile["samples"][0])["callFrame"];
  EXPECT_EQ(frame["url"], "file:///a%20b/%C3%BC%23.py");
  EXPECT_EQ(frame["lineNumber"], 6);
}

}  // namespace
}  // namespace pyrometer::export_
