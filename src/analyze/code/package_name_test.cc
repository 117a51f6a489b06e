// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/package_name.h"

#include <gtest/gtest.h>

namespace pyrometer::analyze {
namespace {

TEST(PackageName, OfLibraries) {
  EXPECT_EQ(PackageName("/venv/lib/python3.12/site-packages/numpy/core/x.py"), "numpy");
  EXPECT_EQ(PackageName("/usr/lib/python3/dist-packages/six.py"), "six");
  EXPECT_EQ(PackageName("/usr/lib/python3.12/json/decoder.py"), "json");
  EXPECT_EQ(PackageName("/usr/lib/python3.12/threading.py"), "threading");
}

TEST(PackageName, OfFrozenModules) {
  EXPECT_EQ(PackageName("<frozen importlib._bootstrap>"), "importlib");
  EXPECT_EQ(PackageName("<frozen runpy>"), "runpy");
}

TEST(PackageName, OfOtherFiles) {
  EXPECT_EQ(PackageName("/home/user/app.py"), "app");
  EXPECT_EQ(PackageName("/usr/lib/libm.so.6"), "libm");
  EXPECT_EQ(PackageName("<string>"), "<string>");
  EXPECT_EQ(PackageName(".hidden"), ".hidden");
  EXPECT_EQ(PackageName(""), "");
}

TEST(PackageName, PathInLibrary) {
  EXPECT_EQ(PathInLibrary("/usr/lib/python3.12/json/decoder.py"), "json/decoder.py");
  EXPECT_EQ(PathInLibrary("/v/lib/python3.12/site-packages/numpy/core.py"), "numpy/core.py");
  EXPECT_EQ(PathInLibrary("/home/user/lib/python/app.py"), "/home/user/lib/python/app.py");
  EXPECT_EQ(PathInLibrary("<frozen runpy>"), "<frozen runpy>");
}

}  // namespace
}  // namespace pyrometer::analyze
