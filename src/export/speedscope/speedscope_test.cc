// SPDX-License-Identifier: Apache-2.0
#include "export/speedscope/speedscope.h"

#include <nlohmann/json.hpp>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using nlohmann::json;

class SpeedscopeTest : public testing::ExchangeTest {
 protected:
  json File(const ExchangeOptions& options = {}) const {
    return json::parse(Written(WriteSpeedscope, options));
  }
  static json Profile(const json& file, const std::string& name) {
    for (const json& profile : file["profiles"])
      if (profile["name"] == name) return profile;
    ADD_FAILURE() << "no profile " << name;
    return {};
  }
  // The stacks of a profile with their weights.
  static json Stacks(const json& file, const std::string& profile_name) {
    const json profile = Profile(file, profile_name);
    json stacks = json::array();
    for (size_t i = 0; i < profile["samples"].size(); ++i) {
      std::string text;
      for (const json& frame : profile["samples"][i]) {
        const json& its = file["shared"]["frames"][frame.get<size_t>()];
        text += its["name"].get<std::string>() + ":" + std::to_string(its.value("line", 0)) + " ";
      }
      stacks.push_back({text, profile["weights"][i]});
    }
    return stacks;
  }
};

TEST_F(SpeedscopeTest, AProfileForEachMetricAndThread) {
  AddExample();
  const json file = File();
  EXPECT_EQ(Stacks(file, "cpu: worker (100/101)"),
            json::array({json::array({"main:11 f:3 ", 8'000'000'000})}));
  EXPECT_EQ(Profile(file, "cpu: worker (100/101)")["endValue"], 8'000'000'000);
  EXPECT_EQ(Profile(file, "cpu: worker (100/101)")["unit"], "nanoseconds");
  std::set<std::string> metrics;
  for (const json& profile : file["profiles"]) {
    const std::string name = profile["name"];
    metrics.insert(name.substr(0, name.find(':')));
    EXPECT_EQ(profile["samples"].size(), profile["weights"].size());
  }
  EXPECT_EQ(metrics,
            (std::set<std::string>{"samples", "cpu", "python", "io_wait", "wall", "allocated",
                                   "live_at_peak", "live_at_exit", "copied"}));
  const std::string active = file["profiles"][file["activeProfileIndex"].get<size_t>()]["name"];
  EXPECT_TRUE(active.starts_with("cpu: ")) << active;
}

TEST_F(SpeedscopeTest, FunctionsInsteadOfLines) {
  AddExample();
  const json file = File({.metric = Metric::kIoWait, .functions = true});
  EXPECT_EQ(file["profiles"].size(), 1u);
  for (const json& frame : file["shared"]["frames"]) EXPECT_NE(frame["name"], "main:11") << frame;
  size_t named_f = 0;
  for (const json& frame : file["shared"]["frames"]) named_f += frame["name"] == "f";
  EXPECT_EQ(named_f, 1u);
}

}  // namespace
}  // namespace pyrometer::export_
