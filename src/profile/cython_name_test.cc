// SPDX-License-Identifier: Apache-2.0
#include "profile/cython_name.h"

#include <gtest/gtest.h>

namespace pyrometer::profile {
namespace {

constexpr std::string_view kSource =
    "cdef inline double square(double x):\n"
    "    return x * x\n"
    "def calc_sum(long n):\n"
    "    cdef double s = square(3)\n"
    "    return s\n"
    "cdef class Box:\n"
    "    cpdef double area(self):\n"
    "        return 2\n"
    "class calc:\n"
    "    async def total(self):\n"
    "        yield 1\n";

std::string NameOf(std::string_view symbol, std::string_view source = kSource) {
  const auto name = ParseCythonName(symbol, "cyx", source);
  return !name ? "none" : name->function.empty() ? "generator" : name->function;
}

TEST(CythonNameTest, FunctionsOfAllKinds) {
  EXPECT_EQ(NameOf("__pyx_f_3cyx_square"), "square");
  EXPECT_EQ(NameOf("__pyx_pf_3cyx_4calc_sum"), "calc_sum");  // calc is four letters long
  EXPECT_EQ(NameOf("__pyx_pw_3cyx_1calc_sum"), "calc_sum");
  EXPECT_EQ(NameOf("__pyx_f_3cyx_3Box_area"), "Box.area");
  EXPECT_EQ(NameOf("__pyx_pw_3cyx_3Box_1area"), "Box.area");
  EXPECT_EQ(NameOf("__pyx_pf_3cyx_4calc_total"), "calc.total");
  EXPECT_EQ(NameOf("__pyx_f_3pkg_3sub_3cyx_square"), "square");
  EXPECT_EQ(NameOf("__pyx_fuse_0__pyx_f_3cyx_square"), "square");
  EXPECT_EQ(NameOf("__pyx_f_3cyx_square(double)"), "square");  // C++
  EXPECT_EQ(NameOf("__pyx_f_3cyx_square.constprop.0"), "square");
  EXPECT_EQ(NameOf("__pyx_pymod_exec_cyx"), "<module>");
  EXPECT_EQ(NameOf("__pyx_gb_3cyx_8generator"), "generator");
}

TEST(CythonNameTest, WithoutTheSourceACapitalMakesAClass) {
  EXPECT_EQ(NameOf("__pyx_pf_3cyx_4calc_sum", ""), "calc_sum");
  EXPECT_EQ(NameOf("__pyx_pw_3cyx_3Box_1area", ""), "Box.area");
}

TEST(CythonNameTest, OnlyTheArgumentsAreUnpackedByAWrapper) {
  EXPECT_TRUE(ParseCythonName("__pyx_pw_3cyx_1calc_sum", "cyx", kSource)->wrapper);
  EXPECT_FALSE(ParseCythonName("__pyx_pf_3cyx_calc_sum", "cyx", kSource)->wrapper);
}

TEST(CythonNameTest, CodeOfCythonsOwnIsNone) {
  for (const char* symbol : {"__Pyx_PyInt_AddObjC", "__pyx_insert_code_object", "main", "",
                             "__pyx_fuse_", "__pyx_f_", "__pyx_pf_3cyx_"})
    EXPECT_EQ(NameOf(symbol), "none") << symbol;
}

TEST(CythonNameTest, NumbersOutOfRangeAreNoScopes) {
  EXPECT_EQ(NameOf("__pyx_f_99999999999999999999cyx_f"), "cyx_f");
  EXPECT_EQ(NameOf("__pyx_f_0_f"), "_f");
  EXPECT_EQ(NameOf("__pyx_f_300cyx_f"), "cyx_f");
}

TEST(FindDefinitionTest, IsTheLastOneAtOrAboveTheLine) {
  EXPECT_EQ(FindDefinition(kSource, "square", 2).line, 1u);
  EXPECT_EQ(FindDefinition(kSource, "calc_sum", 5).line, 3u);
  EXPECT_EQ(FindDefinition(kSource, "Box.area", 8).line, 7u);
  EXPECT_EQ(FindDefinition(kSource, "calc_sum", 2).line, 0u);
  EXPECT_EQ(FindDefinition(kSource, "", 11).name, "total");
  EXPECT_EQ(FindDefinition("", "f", 11).line, 0u);
  EXPECT_EQ(FindDefinition("def f", "f", 1).line, 0u);
}

}  // namespace
}  // namespace pyrometer::profile
