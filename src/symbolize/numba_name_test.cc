// SPDX-License-Identifier: Apache-2.0
#include "symbolize/numba_name.h"

#include <gtest/gtest.h>

#include <random>

namespace pyrometer::symbolize {
namespace {

std::string NameOf(std::string_view symbol) {
  const auto name = ParseNumbaName(symbol);
  return !name ? "none" : name->module + " " + name->function + (name->wrapper ? " w" : "");
}

TEST(NumbaNameTest, FunctionsAndTheirWrappers) {
  const std::string tags = "B2v1B38c8tJTIeFIjxB2IKSgI4CrvQClQZ6FczSBAA_3dEx";
  EXPECT_EQ(NameOf("_ZN8__main__3par" + tags), "__main__ par");
  EXPECT_EQ(NameOf("_ZN7cpython8__main__3par" + tags), "__main__ par w");
  EXPECT_EQ(NameOf("cfunc._ZN8__main__3par" + tags), "__main__ par w");
  EXPECT_EQ(NameOf("_ZN3pkg3mod5outer12_3clocals_3e3par" + tags), "pkg mod.outer.<locals>.par");
  EXPECT_EQ(NameOf("_ZN13_3cdynamic_3e34__numba_parfor_gufunc_0x7f26a7ab51B2v3Ex"),
            "<dynamic> __numba_parfor_gufunc");
}

TEST(NumbaNameTest, SymbolsOfOthersAreNone) {
  for (const char* symbol : {"", "NRT_incref", "_ZN3foo3barEv", "_ZN3fooB5cxx11Ev", "_ZN", "_ZN9",
                             "_ZN99999999999999999999999999x", "_ZN3parB2v1Ex", "cfunc."})
    EXPECT_EQ(NameOf(symbol), "none") << symbol;
}

TEST(NumbaNameTest, AnyBytesEnd) {
  std::mt19937 random{5};
  const std::string letters = "0123456789_ZNBEv3ce.";
  for (int i = 0; i < 20000; ++i) {
    std::string symbol = i % 2 == 0 ? "_ZN" : "";
    for (size_t n = random() % 40; n-- > 0;) symbol += letters[random() % letters.size()];
    ParseNumbaName(symbol);
  }
}

}  // namespace
}  // namespace pyrometer::symbolize
