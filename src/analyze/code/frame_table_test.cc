// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/frame_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"
#include "profile/helper_programs.h"

namespace pyrometer::analyze {
namespace {

using format::Activity;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kLibrary[] = "/v/lib/python3.12/site-packages/";

class FrameTableTest : public ::testing::Test {
 protected:
  // Files that count as the user's, with their seconds.
  std::map<std::string, double> Own(const Scope& scope = {}) {
    std::map<std::string, double> own;
    for (const FileStats& file : BuildReport(profile_.Build(), {.scope = scope}).merged.files)
      if (file.in_scope) own[file.path] = file.scoped.cpu().seconds();
    return own;
  }
  std::vector<std::string> Opened(const Scope& scope = {}) {
    return BuildReport(profile_.Build(), {.scope = scope}).opened.packages;
  }
  // Frames of files of packages are "pkg/file.py|function:line".
  void Add(const std::string& stack, double seconds, uint32_t count = 100) {
    profile_.Add(stack, Activity::kPython, seconds, count);
  }
  static std::string In(const std::string& file) { return kLibrary + file; }

  testing::ProfileBuilder profile_;
};

TEST_F(FrameTableTest, CodeThatALibraryMakesIsNotTheUsers) {
  const std::string made = "<class 'nets.utils.argmap'> compilation 22";
  Add("app.py|main:1 > " + In("nets/a.py|f:2") + " > " + made + "|argmap_f_18:4 > " +
          In("nets/b.py|g:3"),
      4);
  EXPECT_THAT(Own(), ElementsAre(std::pair("app.py", 4)));
}

TEST_F(FrameTableTest, ItIsNotEvenWhereTheUserCallsItIfItIsNamedAfterAPackage) {
  Add("app.py|main:1 > <nets generated wrapper for Session>|wrap:4 > " + In("nets/b.py|g:3"), 4);
  EXPECT_THAT(Own(), ElementsAre(std::pair("app.py", 4)));
}

TEST_F(FrameTableTest, CodeThatTheUserHasMadeIsTheUsers) {
  Add("app.py|main:1 > <rules>|<module>:2", 1);
  Add("app.py|main:1 > <rules>|check:3", 2);
  EXPECT_THAT(Own(), ElementsAre(std::pair("<rules>", 3), std::pair("app.py", 0)));
}

TEST_F(FrameTableTest, CodeThatWasTypedIsTheUsersWhoeverRunsIt) {
  const std::string shell = In("IPython/shell.py|run_code:1") + " > ";
  Add(shell + "<ipython-input-3-0f1e>|<module>:1", 2);
  Add("/usr/lib/python3.12/doctest.py|run:9 > <doctest app.f[0]>|<module>:1", 1);
  EXPECT_THAT(Own(), ElementsAre(std::pair("<doctest app.f[0]>", 1),
                                 std::pair("<ipython-input-3-0f1e>", 2)));
}

TEST_F(FrameTableTest, MadeCodeOfAllKindsCountsForWhoCallsIt) {
  Add("app.py|main:1 > <string>|__init__:2", 1);
  Add("app.py|main:2 > <attrs generated eq app.C>|__eq__:2", 1);
  Add("app.py|main:3 > <__array_function__ internals>|dot:200", 1);
  EXPECT_THAT(Own(), ElementsAre(std::pair("app.py", 3)));
}

TEST_F(FrameTableTest, TheProgramOfMinusCIsTheUsersAndThatOfAHelperIsNot) {
  Add("<string>|<module>:1 > app.py|f:2", 2);
  Add("<string>|<module>:1", 1);
  Add(std::string(profile::kHelperProgram) + "|<module>:1 > app.py|f:2", 4);
  Add(std::string(profile::kHelperProgram) + "|<module>:1", 8);
  EXPECT_THAT(Own(), ElementsAre(std::pair("<string>", 1), std::pair("app.py", 6)));
}

TEST_F(FrameTableTest, OnlyHelpersHaveAProgramThatWasGivenAsText) {
  Add("app.py|main:1", 1);
  profile_.Process(200, 0, 10);
  profile_.profile().processes.back().info.parent_pid = 100;
  profile_.profile().processes.back().info.argv = {"python", "-c", "import sys;exec(...)"};
  Add("<string>|<module>:1 > exec [/usr/bin/python3] > <string>|<module>:8 > app.py|f:2", 2);
  Add("<string>|<module>:1 > exec [/usr/bin/python3] > <string>|<module>:8", 4);
  profile::NameHelperPrograms(profile_.profile());
  EXPECT_THAT(Own(), ElementsAre(std::pair("app.py", 3)));
}

class OpenedPackagesTest : public FrameTableTest {
 protected:
  OpenedPackagesTest() {
    profile_.Source("/v/bin/tool",
                    "#!/v/bin/python\nimport sys\nfrom tool import main\n"
                    "if __name__ == '__main__':\n    sys.exit(main())\n");
  }
  static constexpr char kStub[] = "/v/bin/tool|<module>:5 > ";
};

TEST_F(OpenedPackagesTest, TheToolBehindAnEntryPoint) {
  Add(kStub + In("tool/a.py|main:1") + " > /usr/lib/python3.12/json/x.py|loads:2", 6);
  Add(kStub + In("tool/a.py|main:2") + " > " + In("other/b.py|f:1"), 4);
  EXPECT_THAT(Opened(), ElementsAre("tool"));
  EXPECT_THAT(Own(), ElementsAre(std::pair("/v/bin/tool", 0), std::pair(In("tool/a.py"), 10)));
  const OpenedPackages opened = BuildReport(profile_.Build(), {}).opened;
  EXPECT_EQ(opened.entry_point, "/v/bin/tool");
  EXPECT_EQ(opened.hidden_ns, 10'000'000'000u);
}

TEST_F(OpenedPackagesTest, TheModuleThatIsTheProgram) {
  const std::string start = "<frozen runpy>|_run_code:1 > ";
  Add(start +
          "/usr/lib/python3.12/compileall.py|compile_file:2 > "
          "/usr/lib/python3.12/py_compile.py|compile:3",
      9);
  EXPECT_THAT(Opened(), ElementsAre("compileall"));
  EXPECT_EQ(BuildReport(profile_.Build(), {}).opened.entry_point, "");
}

TEST_F(OpenedPackagesTest, WhatOneLineOfItCallsWithNearlyAllTime) {
  for (const char* test : {"one:1", "two:2"})
    Add("<frozen runpy>|_run_code:1 > " + In("pytest/__main__.py|<module>:9") + " > " +
            In("_pytest/python.py|call:7") + " > " + In("numpy/tests.py|") + test,
        5);
  EXPECT_THAT(Opened(), ElementsAre("pytest", "_pytest", "numpy"));
}

TEST_F(OpenedPackagesTest, NothingWhereTheUsersCodeHasAFifth) {
  Add(kStub + In("tool/a.py|main:1"), 7);
  Add(kStub + In("tool/a.py|main:1") + " > hook:3", 3);
  EXPECT_THAT(Opened(), IsEmpty());
}

TEST_F(OpenedPackagesTest, NothingForALineOfTheUsersOwnScript) {
  profile_.Source("/srv/fit.py", "import tool, sys\ntool.fit()\nsys.exit(0)\n");
  Add("/srv/fit.py|<module>:2 > " + In("tool/a.py|fit:1"), 9);
  EXPECT_THAT(Opened(), IsEmpty());
}

TEST_F(OpenedPackagesTest, NothingForAServerThatWaitsInItsFramework) {
  profile_.Add(kStub + In("tool/a.py|select:1"), Activity::kIoWait, 9, 100);
  Add(kStub + In("tool/a.py|select:1") + " > handler:3", 1);
  EXPECT_THAT(Opened(), IsEmpty());
}

TEST_F(OpenedPackagesTest, NothingForThreadsWithoutPython) {
  Add("app.py|main:1", 1);
  profile_.Thread(101, "pool").Add("work [libpool.so]", Activity::kNative, 99, 100);
  EXPECT_THAT(Opened(), IsEmpty());
}

TEST_F(OpenedPackagesTest, NothingWhereTheScopeWasChosen) {
  Add(kStub + In("tool/a.py|main:1"), 9);
  EXPECT_THAT(Opened({.all = true}), IsEmpty());
  EXPECT_THAT(Opened({.only = {"tool"}}), IsEmpty());
  EXPECT_THAT(Opened({.open_packages = false}), IsEmpty());
  EXPECT_THAT(Own({.exclude = {"tool/"}}), ElementsAre(std::pair("/v/bin/tool", 9)));
}

TEST_F(OpenedPackagesTest, NothingOfAFewSamples) {
  Add(kStub + In("tool/a.py|main:1"), 0.1, 5);
  EXPECT_THAT(Opened(), IsEmpty());
}

}  // namespace
}  // namespace pyrometer::analyze
