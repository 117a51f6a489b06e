// SPDX-License-Identifier: Apache-2.0
#include "export/firefox/firefox_profile.h"

#include <nlohmann/json.hpp>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using nlohmann::json;

class FirefoxProfileTest : public testing::ExchangeTest {
 protected:
  json File() const {
    return json::parse(
        Written([](Exchange& from, std::ostream& out) { WriteFirefoxProfile(from, out); }));
  }
  // "main:10 > f:3"
  static std::string Stack(const json& file, const json& stack) {
    if (stack.is_null()) return "";
    const json& shared = file["shared"];
    const size_t number = stack;
    const size_t frame = shared["stackTable"]["frame"][number];
    const size_t function = shared["frameTable"]["func"][frame];
    const std::string name =
        shared["stringArray"][shared["funcTable"]["name"][function].get<size_t>()];
    const std::string before = Stack(file, shared["stackTable"]["prefix"][number]);
    return before + (before.empty() ? "" : " > ") + name + ":" +
           shared["frameTable"]["line"][frame].dump();
  }
};

TEST_F(FirefoxProfileTest, SamplesWeighTheirTime) {
  AddExample();
  const json file = File();
  ASSERT_EQ(file["threads"].size(), 2u);
  const json& samples = file["threads"][0]["samples"];
  EXPECT_EQ(samples["time"], json({0, 1000, 3000, 7000}));
  EXPECT_EQ(samples["weight"], json({1000, 2000, 4000, 0}));
  EXPECT_EQ(samples["threadCPUDelta"], json({0, 1'000'000'000, 2'000'000'000, 0}));
  EXPECT_EQ(samples["length"], 4);
  EXPECT_EQ(samples["stack"][3], nullptr);
  EXPECT_EQ(Stack(file, samples["stack"][1]), "main:10 > f:4 > f:3");
  EXPECT_EQ(Stack(file, samples["stack"][2]), "main:11 > read:null");
  EXPECT_EQ(file["libs"][0]["path"], "/lib/libc.so.6");
}

TEST_F(FirefoxProfileTest, MemoryHasStacksAndCounters) {
  AddExample();
  profile_.Level(1, {.rss_bytes = 70}).Level(2, {.rss_bytes = 50});
  const json file = File();
  const json& allocations = file["threads"][0]["nativeAllocations"];
  EXPECT_EQ(allocations["weight"], json({4096, -1096}));
  EXPECT_EQ(Stack(file, allocations["stack"][0]), "main:10");
  EXPECT_EQ(file["counters"][1]["name"], "Resident memory");
  EXPECT_EQ(file["counters"][1]["samples"]["count"], json({70, -20}));
}

TEST_F(FirefoxProfileTest, RegionsAndBlocksAreMarkers) {
  AddExample();
  profile_.Held("main:12", 3, 0.5);
  profile::Profile& profile = profile_.profile();
  profile.strings.emplace_back("warm up");
  const format::StringId name(static_cast<uint32_t>(profile.strings.size() - 1));
  profile.regions.push_back({.name = name, .begin_ns = 1'000'000, .length_ns = 2'000'000});
  const json file = File();
  const json& region = file["threads"][0]["markers"];
  EXPECT_EQ(region["startTime"], json({1}));
  EXPECT_EQ(region["endTime"], json({3}));
  EXPECT_EQ(region["data"][0]["what"], "warm up");
  const json& block = file["threads"][1]["markers"];
  EXPECT_EQ(block["startTime"], json({3000}));
  EXPECT_EQ(Stack(file, block["data"][0]["cause"]["stack"]), "main:12");
}

TEST_F(FirefoxProfileTest, SourcesAreInIt) {
  AddExample();
  profile_.Source("app.py", "main()\n");
  const json sources = File()["shared"]["sources"];
  EXPECT_EQ(sources["content"], json({"main()\n"}));
}

}  // namespace
}  // namespace pyrometer::export_
