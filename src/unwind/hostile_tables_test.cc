// SPDX-License-Identifier: Apache-2.0
// Damaged copies of real unwind tables: any row will do, but the compiler must
// end, and must not read outside (the sanitizers watch the copy).
#include <gnu/libc-version.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "unwind/fake_image.h"
#include "unwind/loaded_modules.h"
#include "unwind/row_compiler.h"

namespace pyrometer::unwind {
namespace {

class HostileTablesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!LoadedModules::Available()) GTEST_SKIP() << "needs glibc 2.35 or later";
    ASSERT_TRUE(LoadedModules().Find(reinterpret_cast<uint64_t>(&gnu_get_libc_version), &module_));
    // Linkers put .eh_frame right behind its header; of libc's, this much is
    // the whole table and some of the records.
    constexpr size_t kCopyBytes = 96 << 10;
    copy_.resize(kCopyBytes);
    std::memcpy(copy_.data(), reinterpret_cast<const void*>(module_.eh_frame_hdr), kCopyBytes);
    int32_t words[4];
    std::memcpy(words, copy_.data(), sizeof(words));
    functions_ = static_cast<uint32_t>(words[2]);
    module_.end = module_.eh_frame_hdr + kCopyBytes;
  }

  uint64_t RandomPc() {
    int32_t start;
    const uint64_t index = random_() % functions_;
    std::memcpy(&start, copy_.data() + 12 + index * 8, sizeof(start));
    return module_.eh_frame_hdr + static_cast<uint64_t>(int64_t{start}) + random_() % 256;
  }

  // Rows found at random pcs after `damage` random bytes were changed.
  size_t RowsAfterDamage(size_t from, size_t damage) {
    FakeMemory memory(module_.eh_frame_hdr, copy_);
    for (size_t i = 0; i < damage; ++i) {
      memory.bytes()[from + random_() % (copy_.size() - from)] = static_cast<uint8_t>(random_());
    }
    size_t rows = 0;
    for (int i = 0; i < 500; ++i) {
      rows += CompileRow(memory, module_, RandomPc()).row.kind != UnwindRow::Kind::kNone;
    }
    return rows;
  }

  std::mt19937_64 random_{4711};
  Module module_;
  std::vector<uint8_t> copy_;
  uint64_t functions_ = 0;
};

TEST_F(HostileTablesTest, TheUndamagedCopyHasRows) { EXPECT_GT(RowsAfterDamage(0, 0), 100u); }

TEST_F(HostileTablesTest, DamagedEverywhere) {
  for (int round = 0; round < 100; ++round) RowsAfterDamage(0, 1000);
}

TEST_F(HostileTablesTest, DamagedRecords) {
  const size_t records = 12 + functions_ * 8;
  for (int round = 0; round < 100; ++round) EXPECT_GT(RowsAfterDamage(records, 300), 0u);
}

TEST_F(HostileTablesTest, NothingButNoise) { RowsAfterDamage(0, 1 << 20); }

}  // namespace
}  // namespace pyrometer::unwind
