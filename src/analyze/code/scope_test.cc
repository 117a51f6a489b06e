// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/scope.h"

#include <gtest/gtest.h>

namespace pyrometer::analyze {
namespace {

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
