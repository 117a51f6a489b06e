// SPDX-License-Identifier: Apache-2.0
#include "export/csv/csv.h"

#include <gmock/gmock.h>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using ::testing::HasSubstr;

class CsvTest : public testing::ExchangeTest {
 protected:
  std::string Table(const ExchangeOptions& options = {}) const {
    return Written(WriteCsv, options);
  }
};

TEST_F(CsvTest, RowsAreLines) {
  profile_.Memory("main:10", format::MemoryKind::kPython, 1, testing::Exactly(4096),
                  testing::Exactly(1096), 3500);
  profile_.Memory("main:10 > f:3", format::MemoryKind::kCopied, 1, testing::Exactly(100));
  profile_.Peak(1, "main:10", format::MemoryKind::kPython, testing::Exactly(3500));
  EXPECT_EQ(Table(),
            "kind,file,function,line,self_allocated_bytes,self_live_at_peak_bytes,"
            "self_live_at_exit_bytes,self_copied_bytes,total_allocated_bytes,"
            "total_live_at_peak_bytes,total_live_at_exit_bytes,total_copied_bytes\n"
            "python,\"app.py\",\"main\",10,4096,3500,3000,0,4096,3500,3000,100\n"
            "python,\"app.py\",\"f\",3,0,0,0,100,0,0,0,100\n");
}

TEST_F(CsvTest, RowsAreFunctions) {
  AddExample();
  EXPECT_THAT(Table({.functions = true}),
              HasSubstr("\npython,\"app.py\",\"f\",1,110,11000000000,"));
}

TEST_F(CsvTest, TextsAreTexts) {
  profile_.Add("=a\",\n1:1", format::Activity::kPython, 1);
  EXPECT_THAT(Table(), HasSubstr("\npython,\"app.py\",\"'=a\"\",_1\",1,"));
}

}  // namespace
}  // namespace pyrometer::export_
