// SPDX-License-Identifier: Apache-2.0
// The JSON report against docs/format/report.schema.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "analyze/build_report.h"
#include "analyze/testing/example_profile.h"
#include "export/report/json.h"

namespace pyrometer::export_ {
namespace {

using nlohmann::json;

// As much of JSON Schema as ours uses; a keyword that it does not know is an
// error, so that the schema cannot grow past it unnoticed.
class Validator {
 public:
  explicit Validator(json schema) : schema_(std::move(schema)) {}

  // The first problem, or "".
  std::string Check(const json& value) const { return Check(value, schema_, "$"); }

 private:
  std::string Check(const json& value, const json& rule, const std::string& at) const {
    for (const auto& [keyword, argument] : rule.items()) {
      const std::string problem = CheckKeyword(value, keyword, argument, rule, at);
      if (!problem.empty()) return problem;
    }
    return "";
  }

  std::string CheckKeyword(const json& value, const std::string& keyword, const json& argument,
                           const json& rule, const std::string& at) const {
    const auto fail_unless = [&](bool good) { return good ? "" : at + ": " + keyword; };
    if (keyword == "$schema" || keyword == "title" || keyword == "$defs") return "";
    if (keyword == "$ref") {
      return Check(value, schema_.at(json::json_pointer(argument.get<std::string>().substr(1))),
                   at);
    }
    if (keyword == "type") return fail_unless(HasType(value, argument));
    if (keyword == "const") return fail_unless(value == argument);
    if (keyword == "enum") {
      return fail_unless(std::find(argument.begin(), argument.end(), value) != argument.end());
    }
    if (keyword == "minimum") return fail_unless(!value.is_number() || value >= argument);
    if (keyword == "minItems") return fail_unless(!value.is_array() || value.size() >= argument);
    if (keyword == "anyOf") {
      return fail_unless(std::any_of(argument.begin(), argument.end(), [&](const json& option) {
        return Check(value, option, at).empty();
      }));
    }
    if (keyword == "allOf")
      return FirstProblem(argument, [&](const json& part) { return Check(value, part, at); });
    if (keyword == "items") {
      if (!value.is_array()) return "";
      size_t i = 0;
      return FirstProblem(value, [&](const json& item) {
        return Check(item, argument, at + "[" + std::to_string(i++) + "]");
      });
    }
    if (!value.is_object()) return IsObjectKeyword(keyword) ? "" : "unknown keyword " + keyword;
    if (keyword == "required")
      return FirstProblem(argument, [&](const json& name) {
        return value.contains(name.get<std::string>()) ? ""
                                                       : at + ": no " + name.get<std::string>();
      });
    for (const auto& [name, member] : value.items()) {
      std::string problem;
      if (keyword == "properties") {
        if (argument.contains(name)) problem = Check(member, argument[name], at + "." + name);
      } else if (keyword == "propertyNames") {
        problem = Check(json(name), argument, at + "." + name);
      } else if (keyword == "additionalProperties") {
        const bool known = rule.contains("properties") && rule["properties"].contains(name);
        if (!known) problem = Check(member, argument, at + "." + name);
      } else {
        problem = "unknown keyword " + keyword;
      }
      if (!problem.empty()) return problem;
    }
    return "";
  }

  template <class List, class Function>
  static std::string FirstProblem(const List& list, Function check) {
    for (const json& item : list) {
      const std::string problem = check(item);
      if (!problem.empty()) return problem;
    }
    return "";
  }

  static bool IsObjectKeyword(const std::string& keyword) {
    return keyword == "required" || keyword == "properties" || keyword == "propertyNames" ||
           keyword == "additionalProperties";
  }

  static bool HasType(const json& value, const json& type) {
    if (type.is_array()) {
      return std::any_of(type.begin(), type.end(),
                         [&](const json& option) { return HasType(value, option); });
    }
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
           (type == "null" && value.is_null()) || (type == "number" && value.is_number()) ||
           (type == "integer" && value.is_number_integer());
  }

  const json schema_;
};

class ReportSchemaTest : public ::testing::Test {
 protected:
  static std::string Problem(const json& report) {
    std::ifstream file(PYRO_REPORT_SCHEMA);
    return Validator(json::parse(file)).Check(report);
  }
  static json Written(const profile::Profile& profile) {
    std::ostringstream out;
    WriteJson(analyze::BuildReport(profile, {}), out);
    return json::parse(out.str());
  }
  static json Example() { return Written(analyze::testing::ExampleProfile().Build()); }
};

TEST_F(ReportSchemaTest, AcceptsAFullReport) { EXPECT_EQ(Problem(Example()), ""); }

TEST_F(ReportSchemaTest, AcceptsTasks) {
  analyze::testing::ProfileBuilder profile;
  profile.Task("work@1:2", "")
      .Add("run:1 > work@1:3", format::Activity::kPython, 1)
      .Await("work@1:2", format::AwaitState::kReady, 1)
      .Held("run:1 > work@1:3", 1, 0.1)
      .Held("select [libc.so.6]", 2, 0.1);
  json report = Written(profile.Build());
  EXPECT_EQ(Problem(report), "");
  EXPECT_EQ(report["tasks"].size(), 1u);
  EXPECT_EQ(report["awaits"].size(), 1u);
  EXPECT_EQ(report["loop_blocks"].size(), 2u);
  report["awaits"][0].erase("chains");
  EXPECT_EQ(Problem(report), "$.awaits[0]: no chains");
}

TEST_F(ReportSchemaTest, AcceptsMemoryAndNone) {
  json report = Example();
  EXPECT_EQ(report["growth"].size(), 1u);
  EXPECT_EQ(report["merged"]["memory"]["lines"].size(), 7u);
  EXPECT_EQ(report["merged"]["memory"]["copies"].size(), 2u);
  report["merged"]["memory"]["totals"]["coffee"] = 1;
  EXPECT_EQ(Problem(report), "$.merged.memory.totals.coffee: enum");
  report = Written(WithoutMemory(analyze::testing::ExampleProfile()).Build());
  EXPECT_EQ(Problem(report), "");
  EXPECT_TRUE(report["merged"]["memory"].is_null());
  EXPECT_TRUE(report["merged"]["files"][0]["lines"][0]["memory"].is_null());
  report = Written(WithoutTime(analyze::testing::ExampleProfile()).Build());
  EXPECT_EQ(Problem(report), "");
  EXPECT_EQ(report["verdicts"][0]["kind"], "live_at_peak");
}

TEST_F(ReportSchemaTest, AcceptsCountersKnownAndNot) {
  analyze::testing::ProfileBuilder profile;
  profile.Counter(format::CounterKind::kLoss, "lines that make no sense", 2)
      .Counter(format::CounterKind::kFact, "asleep ns", 3);
  for (const metric::CounterRow& row : metric::AllCounters()) {
    const metric::CounterKey key = metric::KeyOf(row.counter, row.has_text ? "text" : "");
    profile.Counter(key.kind, metric::StoredName(key), 1);
  }
  json report = Written(profile.Build());
  EXPECT_EQ(Problem(report), "");
  report["losses"][0]["class"] = "lost_coffee";
  EXPECT_EQ(Problem(report), "$.losses[0].class: enum");
}

TEST_F(ReportSchemaTest, AcceptsAnEmptyReport) {
  EXPECT_EQ(Problem(Written(profile::Profile{})), "");
}

TEST_F(ReportSchemaTest, AcceptsAProcessWhoseEndWasNotSeen) {
  analyze::testing::ProfileBuilder profile;
  profile.profile().processes[0].end.reset();
  EXPECT_EQ(Problem(Written(profile.Build())), "");
}

TEST_F(ReportSchemaTest, NoticesWhatIsWrong) {
  json report = Example();
  report["merged"]["files"][0]["lines"][0]["self"] = {
      {"coffee", report["merged"]["totals"]["python"]}};
  EXPECT_EQ(Problem(report), "$.merged.files[0].lines[0].self.coffee: enum");
  report = Example();
  report["processes"][1].erase("pid");
  EXPECT_EQ(Problem(report), "$.processes[1]: no pid");
  report = Example();
  report["processes"][0]["totals"]["python"]["low"] = -1;
  EXPECT_EQ(Problem(report), "$.processes[0].totals.python.low: minimum");
  report = Example();
  report["growth"][0]["live"].erase("samples");
  EXPECT_EQ(Problem(report), "$.growth[0].live: no samples");
}

}  // namespace
}  // namespace pyrometer::export_
