// SPDX-License-Identifier: Apache-2.0
#include "analyze/stacks/stack_kinds.h"

#include <gtest/gtest.h>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using format::Activity;

constexpr uint64_t kSecond = 1'000'000'000;

TEST(StackKindsTest, CollectorTimeIsFoundWhereverItRuns) {
  testing::ProfileBuilder profile;
  profile.Add(
      "main:1 > f:2 > gc_collect_main.constprop.0 [/usr/bin/python3.12] > visit "
      "[/usr/bin/python3.12]",
      Activity::kNative, 3);
  profile.Add("main:1 > f:2 > gc_collect_main [/usr/lib/libpython3.8.so] > __del__:7",
              Activity::kPython, 1);
  profile.Add("main:1 > f:2 > collect [/usr/lib/libother.so]", Activity::kNative, 5);
  profile.Add("main:1 > f:2", Activity::kPython, 7);
  const View view = BuildReport(profile.Build(), {}).merged;
  EXPECT_EQ(view.total.gc_ns(), 4 * kSecond);
  const FileStats& file = view.files.front();
  EXPECT_EQ(file.total.gc_ns(), 4 * kSecond);
  const auto line = std::find_if(file.lines.begin(), file.lines.end(),
                                 [](const LineStats& l) { return l.line == 2; });
  EXPECT_EQ(line->self.gc_ns(), 3 * kSecond);
  EXPECT_EQ(line->total.gc_ns(), 4 * kSecond);
}

TEST(StackKindsTest, ImportsAreGroupedByWhatTheProgramImported) {
  testing::ProfileBuilder profile;
  const std::string find = "<frozen importlib._bootstrap>|_find_and_load:1";
  profile.Add("main:1 > " + find, Activity::kPython, 1);
  profile.Add("main:1 > " + find + " > numpy/__init__.py|<module>:3", Activity::kPython, 2);
  profile.Add("main:1 > " + find + " > numpy/__init__.py|<module>:4 > " + find +
                  " > numpy/core.py|<module>:9",
              Activity::kPython, 4);
  profile.Add("main:1 > " + find + " > json.py|<module>:1", Activity::kPython, 3);
  profile.Add("main:1 > <module>:5", Activity::kPython, 8);
  const View view = BuildReport(profile.Build(), {}).merged;
  EXPECT_EQ(view.total.import_ns(), 10 * kSecond);
  ASSERT_EQ(view.imports.size(), 3u);
  EXPECT_EQ(view.imports[0].path, "numpy/__init__.py");
  EXPECT_EQ(view.imports[0].time.cpu().ns, 6 * kSecond);
  EXPECT_EQ(view.imports[1].path, "json.py");
  EXPECT_EQ(view.imports[2].path, "");
}

TEST(StackKindsTest, CompilingWithoutAnImportIsNoImport) {
  testing::ProfileBuilder profile;
  const std::string external = "<frozen importlib._bootstrap_external>|";
  const std::string bootstrap = "<frozen importlib._bootstrap>|";
  const std::string compile =
      external + "SourceLoader.source_to_code:5 > " + bootstrap + "_call_with_frames_removed:6";
  profile.Add("main:1 > compile:2 > " + compile, Activity::kNative, 8);
  profile.Add("main:1 > compile:3 > " + external + "_write_atomic:7", Activity::kKernel, 4);
  profile.Add("main:1 > find_spec:4 > " + bootstrap + "_find_spec:9", Activity::kPython, 2);
  EXPECT_EQ(BuildReport(profile.Build(), {}).merged.total.import_ns(), 0u);
  // The same for the sake of one: it may be called by its name alone, or with its class.
  for (const char* exec : {"exec_module:1", "_LoaderBasics.exec_module:1"})
    profile.Add("main:1 > " + external + exec + " > " + compile, Activity::kNative, 1);
  const View view = BuildReport(profile.Build(), {}).merged;
  EXPECT_EQ(view.total.import_ns(), 2 * kSecond);
  ASSERT_EQ(view.imports.size(), 1u);
  EXPECT_EQ(view.imports[0].path, "");
}

TEST(StackKindsTest, AFunctionOfTheProgramMayHaveTheNameOfAnImport) {
  testing::ProfileBuilder profile;
  profile.Add("main:1 > exec_module:2", Activity::kPython, 1);
  EXPECT_EQ(BuildReport(profile.Build(), {}).merged.total.import_ns(), 0u);
}

}  // namespace
}  // namespace pyrometer::analyze
