// SPDX-License-Identifier: Apache-2.0
// A comparison for other programs: JSON, SARIF and annotations.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analyze/diff/testing/example_diff.h"
#include "export/diff/diff_json.h"
#include "export/diff/github_annotations.h"
#include "export/diff/sarif.h"

namespace pyrometer::export_ {
namespace {

using analyze::Diff;
using analyze::testing::ExampleDiff;
using analyze::testing::ExampleLimits;
using analyze::testing::HostileDiff;
using nlohmann::json;

json DiffJson(const Diff& diff) {
  std::ostringstream out;
  WriteDiffJson(diff, ExampleLimits(diff), out);
  return json::parse(out.str());
}

json Sarif(const Diff& diff) {
  std::ostringstream out;
  WriteSarif(diff, ExampleLimits(diff), "1.2.3", out);
  return json::parse(out.str());
}

std::vector<std::string> Annotations(const Diff& diff) {
  std::ostringstream out;
  WriteGithubAnnotations(diff, ExampleLimits(diff), out);
  std::istringstream in(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(DiffJsonTest, HasAllThatIsCompared) {
  const json diff = DiffJson(ExampleDiff());
  EXPECT_EQ(diff["schema"], "pyrometer.diff");
  EXPECT_EQ(diff["version"], 2);
  EXPECT_EQ(diff["base"]["runs"], 5);
  EXPECT_EQ(diff["speed"]["factor"], 1.031);
  EXPECT_EQ(diff["metrics"].size(), 3u);
  const json& cpu = diff["metrics"][0];
  EXPECT_EQ(cpu["name"], "cpu");
  EXPECT_EQ(cpu["unit"], "seconds");
  EXPECT_EQ(cpu["total"]["base"], 10.0);
  EXPECT_EQ(cpu["detectable"]["difference"], 0.12);
  const json& score = cpu["functions"][0];
  EXPECT_EQ(score["base_place"]["line"], 15);
  EXPECT_EQ(score["new_place"]["line"], 18);
  EXPECT_EQ(score["change"]["percent"], 5.0);
  EXPECT_EQ(score["change"]["significant"], true);
  EXPECT_TRUE(cpu["functions"][1]["new_place"].is_null());
  EXPECT_TRUE(cpu["functions"][2]["base_place"].is_null());
  EXPECT_EQ(cpu["paths"][0]["path"], json({"<module>", "main", "score"}));
  EXPECT_EQ(diff["metrics"][2]["why_not"], "there is hardly any");
  EXPECT_EQ(diff["limits"][0]["exceeded"], true);
  EXPECT_EQ(diff["limits"][1]["exceeded"], false);
  EXPECT_EQ(diff["limits"][2]["place"]["function"], "score");
}

TEST(DiffJsonTest, HostileTextIsText) {
  const json diff = DiffJson(HostileDiff());
  const std::string name = diff["metrics"][0]["functions"][0]["new_place"]["function"];
  EXPECT_NE(name.find("\x1b[31m\r\n::error::"), std::string::npos);
}

TEST(SarifTest, HasWhatHasGrownAndLimits) {
  const json sarif = Sarif(ExampleDiff());
  EXPECT_EQ(sarif["version"], "2.1.0");
  const json& run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  // Two limits, a function and a line; what shrinks is no finding.
  ASSERT_EQ(run["results"].size(), 4u);
  const json& line = run["results"][3];
  EXPECT_EQ(line["ruleId"], "more-cpu");
  EXPECT_EQ(line["level"], "warning");
  const json& place = line["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "app.py");
  EXPECT_EQ(place["region"]["startLine"], 22);
  const json& logical = line["locations"][0]["logicalLocations"];
  ASSERT_TRUE(logical.is_array());
  EXPECT_EQ(logical[0]["fullyQualifiedName"], "score");
  EXPECT_EQ(run["results"][0]["ruleId"], "limit-exceeded");
  EXPECT_EQ(run["results"][0]["level"], "error");
}

TEST(SarifTest, EveryRuleIsDescribed) {
  const json run = Sarif(ExampleDiff())["runs"][0];
  std::vector<std::string> rules;
  for (const json& rule : run["tool"]["driver"]["rules"]) {
    rules.push_back(rule["id"]);
    EXPECT_FALSE(rule["shortDescription"]["text"].get<std::string>().empty());
  }
  ASSERT_FALSE(run["results"].empty());
  for (const json& result : run["results"])
    EXPECT_NE(std::find(rules.begin(), rules.end(), result["ruleId"]), rules.end());
}

TEST(SarifTest, PathsAreReferences) {
  const json run = Sarif(HostileDiff())["runs"][0];
  const std::string uri =
      run["results"][3]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  EXPECT_TRUE(uri.starts_with("dir%20with%20blank/x%1B%5B31m%0D%0A%3A%3Aerror")) << uri;
  EXPECT_EQ(uri.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "%/-_.~"),
            std::string::npos);
}

TEST(SarifTest, PlacesOutsideTheProjectAreNotLinked) {
  for (const char* path : {"/usr/lib/x.py", "<string>", "../x.py", "a/../../x.py"}) {
    Diff diff = ExampleDiff();
    diff.metrics[0].functions[0].code.now->path = path;
    EXPECT_TRUE(Sarif(diff)["runs"][0]["results"][2]["locations"].empty()) << path;
  }
}

TEST(GithubAnnotationsTest, ErrorsAndWarningsWithPlaces) {
  const std::vector<std::string> lines = Annotations(ExampleDiff());
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_TRUE(lines[0].starts_with("::error title=pyrometer%3A cpu%3Atotal>1%25::limit 'cpu:total"))
      << lines[0];
  EXPECT_TRUE(lines[1].starts_with("::error file=app.py,line=18,title=")) << lines[1];
  EXPECT_TRUE(
      lines[2].starts_with("::warning file=app.py,line=18,title=pyrometer%3A more CPU time"
                           "::score has 5.25 s instead of 5.00 s of CPU time: +250 ms "
                           "(+5.0 %25)"))
      << lines[2];
  EXPECT_TRUE(lines[4].starts_with("::notice title=")) << lines[4];
}

TEST(GithubAnnotationsTest, NoNameBeginsACommandOfItsOwn) {
  const std::vector<std::string> lines = Annotations(HostileDiff());
  ASSERT_EQ(lines.size(), 5u);
  for (const std::string& line : lines) {
    EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::warning ") ||
                line.starts_with("::notice "))
        << line;
    EXPECT_EQ(line.find('\r'), std::string::npos);
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
    // Up to the text, a comma separates and a colon ends: none is of a name.
    const std::string head = line.substr(2, line.find("::", 2) - 2);
    EXPECT_LE(std::count(head.begin(), head.end(), ','), 2) << head;
    EXPECT_EQ(head.find(':'), std::string::npos) << head;
  }
}

TEST(GithubAnnotationsTest, TenOfAKind) {
  Diff diff = ExampleDiff();
  auto& functions = diff.metrics[0].functions;
  for (int i = 0; i < 30; ++i) functions.insert(functions.begin(), functions.front());
  size_t warnings = 0;
  for (const std::string& line : Annotations(diff))
    warnings += line.starts_with("::warning ") ? 1 : 0;
  EXPECT_EQ(warnings, 10u);
}

}  // namespace
}  // namespace pyrometer::export_
