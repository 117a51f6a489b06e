// SPDX-License-Identifier: Apache-2.0
#include "symbolize/demangle.h"

#include <gtest/gtest.h>

namespace pyrometer::symbolize {
namespace {

TEST(DemangleTest, Cxx) {
  EXPECT_EQ(Demangle("_ZN6sample3BoxIiE5WhereEi"), "sample::Box<int>::Where(int)");
}

TEST(DemangleTest, OtherNamesStay) {
  for (const char* name : {"", "main", "_Z", "_ZN", "_Znonsense", "_PyEval_EvalFrameDefault",
                           "_RNothingOfRust", "_Dmain_like"}) {
    EXPECT_EQ(Demangle(name), name);
  }
}

TEST(DemangleTest, EndlessNamesStay) {
  std::string nested = "_Z1f";
  nested.append(100000, 'P');
  EXPECT_EQ(Demangle(nested.c_str()), nested);
}

#ifdef PYRO_HAVE_LIBIBERTY

TEST(DemangleTest, RustLegacy) {
  EXPECT_EQ(Demangle("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"),
            "core::fmt::Write::write_fmt");
}

TEST(DemangleTest, RustV0) {
  EXPECT_EQ(Demangle("_RNvCskwGfYPst2Cb_3foo16example_function"), "foo::example_function");
}

#endif

}  // namespace
}  // namespace pyrometer::symbolize
