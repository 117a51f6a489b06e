// SPDX-License-Identifier: Apache-2.0
#include "export/page/column_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "export/page/page_container.h"
#include "export/page/testing/page_reader.h"

namespace pyrometer::export_ {
namespace {

using ::testing::ElementsAre;
using testing::PageReader;
using enum SectionEncoding;

class ColumnSectionTest : public ::testing::Test {
 protected:
  static PageReader Written(const std::vector<uint64_t>& values) {
    PageContainer container;
    container.Numbers("x", values.size(), [&](size_t i) { return values[i]; });
    std::string out;
    container.Write([&](const std::string& piece) { out += piece; });
    return PageReader::Read(out).value();
  }
  static PageReader::Section Section(const std::vector<uint64_t>& values) {
    return Written(values).sections().at("x");
  }
};

TEST_F(ColumnSectionTest, EqualValuesAreOne) {
  EXPECT_EQ(Section({300, 300, 300}).encoding, kConstant);
  EXPECT_EQ(Section({300, 300, 300}).bytes, "\xac\x02");
  EXPECT_EQ(Section({7}).encoding, kConstant);
}

TEST_F(ColumnSectionTest, TheShorterEncodingIsTaken) {
  EXPECT_EQ(Section({1, 2, 100, 1}).encoding, kNumbers);
  EXPECT_EQ(Section({1000, 1001, 1000}).encoding, kDeltas);
  EXPECT_EQ(Section({1000, 1001, 1000}).bytes, "\xd0\x0f\x02\x01");
}

TEST_F(ColumnSectionTest, NothingIsAnEmptyColumn) {
  EXPECT_EQ(Section({}).encoding, kNumbers);
  EXPECT_EQ(Section({}).bytes, "");
}

TEST_F(ColumnSectionTest, ValuesStopWhereDoublesDo) {
  EXPECT_THAT(Written({1, ~uint64_t{0}, kLargestValue + 1}).Numbers("x"),
              ElementsAre(1, kLargestValue, kLargestValue));
}

TEST_F(ColumnSectionTest, AnyColumnIsReadAgain) {
  std::mt19937_64 random(5);
  for (size_t count : {1, 2, 100, 70'000}) {
    for (int bits : {1, 7, 8, 31, 53}) {
      std::vector<uint64_t> values(count);
      for (uint64_t& value : values) value = random() >> (64 - bits);
      EXPECT_EQ(Written(values).Numbers("x"), values);
    }
  }
}

TEST_F(ColumnSectionTest, SizesAreThoseOfTheBytes) {
  uint8_t bytes[base::kMaxVarintBytes];
  for (int bit = 0; bit < 64; ++bit)
    for (const uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1})
      EXPECT_EQ(VarintSize(value), base::PutVarint(bytes, value)) << value;
}

}  // namespace
}  // namespace pyrometer::export_
