// SPDX-License-Identifier: Apache-2.0
#include "analyze/scope.h"

#include <gtest/gtest.h>

namespace pyrometer::analyze {
namespace {

TEST(IsLibraryPath, KnowsWherePackagesLive) {
  for (const char* path :
       {"/usr/lib/python3.12/json/decoder.py", "/opt/py/lib64/python3.9/os.py",
        "/opt/py/lib/python3.13t/os.py", "/home/u/p/.venv/lib/python3.11/site-packages/a.py",
        "/usr/lib/python3/dist-packages/apt.py", "<frozen importlib._bootstrap>"}) {
    EXPECT_TRUE(IsLibraryPath(path)) << path;
  }
}

TEST(IsLibraryPath, LeavesTheUsersCodeAlone) {
  for (const char* path :
       {"app.py", "/home/u/lib/pythonic/a.py", "/home/u/lib/python3x/a.py",
        "/home/u/lib/python3.12", "<string>", "<stdin>", "", "/srv/python3.12/a.py"}) {
    EXPECT_FALSE(IsLibraryPath(path)) << path;
  }
}

TEST(Scope, AllHasLibrariesToo) {
  EXPECT_FALSE(Scope{}.Contains("/usr/lib/python3.12/os.py"));
  EXPECT_TRUE(Scope{.all = true}.Contains("/usr/lib/python3.12/os.py"));
}

TEST(Scope, OnlyIsASubstringOrAGlob) {
  const Scope scope{.only = {"numpy", "*_test.py", "src/*.py"}};
  EXPECT_TRUE(scope.Contains("/x/site-packages/numpy/core.py"));
  EXPECT_TRUE(scope.Contains("/p/a_test.py"));
  EXPECT_TRUE(scope.Contains("/p/src/a.py"));
  EXPECT_FALSE(scope.Contains("/p/a.py"));
}

TEST(Scope, ExcludeWins) {
  const Scope scope{.all = true, .only = {"app"}, .exclude = {"app/vendor"}};
  EXPECT_TRUE(scope.Contains("/p/app/a.py"));
  EXPECT_FALSE(scope.Contains("/p/app/vendor/a.py"));
}

}  // namespace
}  // namespace pyrometer::analyze
