// SPDX-License-Identifier: Apache-2.0
#include "cli/bare_profile.h"

#include <gtest/gtest.h>

namespace pyrometer::cli {
namespace {

TEST(BareProfileTest, IsADecoratorThatNobodyImports) {
  for (const char* source : {
           "@profile\ndef f(): pass\n",
           "class A:\n    @profile\n    def f(self): pass\n",
           "@ profile()  # twice\r\ndef f(): pass",
           "import profiles\n@profile\ndef f(): pass\n",
           "from profile import run\n@profile\ndef f(): pass\n",
           "try:\n profile\nexcept NameError:\n def profile(f): return f\n@profile\ndef f(): 0\n",
       })
    EXPECT_TRUE(UsesBareProfile(source)) << source;
}

TEST(BareProfileTest, IsNoOtherUseOfTheName) {
  for (const char* source : {
           "",
           "profile(f)\n",
           "@profiled\ndef f(): pass\n",
           "@profile.run\ndef f(): pass\n",
           "x = '@profile'\n",
           "from pyrometer import profile\n@profile\ndef f(): pass\n",
           "from line_profiler import a, profile as profile\n@profile\ndef f(): pass\n",
           "@profile\ndef f(): pass\nimport tool as profile\n",
       })
    EXPECT_FALSE(UsesBareProfile(source)) << source;
}

TEST(BareProfileTest, LooksAtCodeOfTheCommandLine) {
  EXPECT_TRUE(ProgramUsesBareProfile({"-c", "@profile\ndef f(): 0"}));
  EXPECT_TRUE(ProgramUsesBareProfile({"/usr/bin/python3", "-I", "-c", "@profile\ndef f(): 0"}));
  EXPECT_FALSE(ProgramUsesBareProfile({"-c", "print()"}));
  EXPECT_FALSE(ProgramUsesBareProfile({"python3", "-V"}));
  EXPECT_FALSE(ProgramUsesBareProfile({"-m"}));
  EXPECT_FALSE(ProgramUsesBareProfile({"no such script"}));
}

}  // namespace
}  // namespace pyrometer::cli
