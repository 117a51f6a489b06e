// SPDX-License-Identifier: Apache-2.0
#include "base/library_path.h"

#include <gtest/gtest.h>

namespace pyrometer::base {
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

}  // namespace
}  // namespace pyrometer::base
