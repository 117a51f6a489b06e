// SPDX-License-Identifier: Apache-2.0
#include "os/process_symbols.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "gtest/gtest.h"

namespace pyrometer::os {
namespace {

class ProcessSymbolsTest : public testing::Test {
 protected:
  RemoteMemory memory_{getpid()};
  ProcessSymbols symbols_{getpid(), memory_};
};

// What the dynamic linker says of its own process is the truth, but for what sanitizers put before
// it.
TEST_F(ProcessSymbolsTest, AreWhereTheDynamicLinkerSees) {
  for (const char* name : {"getenv", "setenv", "stdout", "environ", "_ZSt9terminatev"})
    EXPECT_EQ(symbols_.Address(name), reinterpret_cast<uint64_t>(dlsym(RTLD_DEFAULT, name)))
        << name;
  EXPECT_EQ(symbols_.Size("stdout"), sizeof(void*));
}

TEST_F(ProcessSymbolsTest, WhatIsNotThereHasNoAddress) {
  EXPECT_EQ(symbols_.Address("no_such_symbol_anywhere"), 0u);
  EXPECT_EQ(symbols_.Size("no_such_symbol_anywhere"), 0u);
  EXPECT_EQ(symbols_.VariablesBeside("no_such_symbol_anywhere").end, 0u);
}

TEST_F(ProcessSymbolsTest, VariablesAreThoseOfTheModule) {
  const auto variable = reinterpret_cast<uint64_t>(dlsym(RTLD_DEFAULT, "__libc_single_threaded"));
  ASSERT_NE(variable, 0u);
  const ProcessSymbols::Range range = symbols_.VariablesBeside("__libc_single_threaded");
  EXPECT_LE(range.begin, variable);
  EXPECT_GT(range.end, variable);
}

// Memory with one byte that is not as it was.
class Damaged {
 public:
  Damaged(const RemoteMemory& memory, uint64_t at) : memory_(memory), at_(at) {}
  bool Read(uint64_t address, void* out, size_t size) const {
    if (!memory_.Read(address, out, size)) return false;
    if (at_ - address < size) static_cast<uint8_t*>(out)[at_ - address] ^= 0xff;
    return true;
  }

 private:
  const RemoteMemory& memory_;
  uint64_t at_;
};

TEST_F(ProcessSymbolsTest, ASearchOfDamagedTablesEnds) {
  Dl_info info;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&getenv), &info), 0);
  const auto base = reinterpret_cast<uint64_t>(info.dli_fbase);
  const uint64_t truth = symbols_.Address("getenv");
  size_t found = 0;
  for (uint64_t at = base; at < base + 3000; ++at) {
    const Damaged memory(memory_, at);
    if (ElfModule<Damaged>(memory, base).Find("getenv").address == truth) ++found;
  }
  EXPECT_GT(found, 1000u);
  EXPECT_LT(found, 3000u);
}

}  // namespace
}  // namespace pyrometer::os
