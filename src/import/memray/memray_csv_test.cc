// SPDX-License-Identifier: Apache-2.0
#include "import/memray/memray_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/memray/csv_row.h"
#include "import/testing/damaged.h"
#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"

namespace pyrometer::import_ {
namespace {

using ::testing::ElementsAre;
using testing::Import;
using testing::LossTexts;
using ::testing::Pointee;
using testing::StackText;

const std::string kHeader = "allocator,num_allocations,size,tid,thread_name,stack_trace\r\n";

TEST(CsvRow, QuotesHoldCommas) {
  CsvRow row;
  EXPECT_THAT(row.Split("a,,\"b,\"\"c\"\"\",d"), Pointee(ElementsAre("a", "", "b,\"c\"", "d")));
  EXPECT_THAT(row.Split(""), Pointee(ElementsAre("")));
  EXPECT_THAT(row.Split("a,"), Pointee(ElementsAre("a", "")));
  EXPECT_THAT(row.Split("\"\""), Pointee(ElementsAre("")));
  EXPECT_EQ(row.Split("\"open"), nullptr);
  EXPECT_EQ(row.Split("\"a\"b"), nullptr);
}

TEST(MemrayCsv, AllocationsWithStacks) {
  const auto profile = Import(kHeader +
                              "MALLOC,3,1340,1,0x1,\"work;/a,b/app.py;7|main;/a,b/app.py;3\"\r\n"
                              "MMAP,1,4096,2,worker,\"main;/a,b/app.py;3\"\r\n"
                              "MMAP,1,1,2,worker,\r\n");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "");
  const auto& parts = profile.value().memory_peaks[0].parts;
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(StackText(profile.value(), parts[0].stack),
            "main (/a,b/app.py:3);work (/a,b/app.py:7)");
  EXPECT_EQ(parts[0].amount.bytes, 1340u);
  EXPECT_EQ(parts[0].amount.blocks, 3u);
  EXPECT_EQ(profile.value().threads[1].info.name, "worker");
}

TEST(MemrayCsv, LinesThatMakeNoSenseAreCounted) {
  const auto profile =
      Import(kHeader + "MALLOC,1,5,1,t,f;a.py;1\nMALLOC,1,x,1,t,f\nMALLOC\n\"\n\n" +
             "MALLOC,1,5,1,t,f;a.py;99999999999|;|x|a;b\n");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("lines that are no allocation: 3"));
}

TEST(MemrayCsv, DamagedFilesAreReadOrRefused) {
  testing::ExpectSoundWhenDamaged(kHeader + "MALLOC,1,5,1,t,\"f;a.py;1|g;b.py;2\"\n", "memray-csv");
}

}  // namespace
}  // namespace pyrometer::import_
