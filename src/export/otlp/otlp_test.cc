// SPDX-License-Identifier: Apache-2.0
#include "export/otlp/otlp.h"

#include <gmock/gmock.h>

#include <map>
#include <protozero/pbf_reader.hpp>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using protozero::pbf_reader;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class OtlpTest : public testing::ExchangeTest {
 protected:
  void Read() {
    bytes_ = Written([](Exchange& from, std::ostream& out) { WriteOtlp(from, out); });
    pbf_reader pieces(bytes_);
    while (pieces.next(2)) {
      pbf_reader piece = pieces.get_message();
      while (piece.next()) {
        if (piece.tag() == 5) {
          texts_.push_back(piece.get_string());
        } else {
          ++entries_[piece.tag()];
          piece.skip();
        }
      }
    }
    pbf_reader resources(bytes_);
    while (resources.next(1)) {
      pbf_reader resource = resources.get_message();
      while (resource.next(2)) {
        pbf_reader scope = resource.get_message();
        while (scope.next(2)) ReadProfile(scope.get_message());
      }
    }
  }
  void ReadProfile(pbf_reader profile) {
    std::string type;
    while (profile.next()) {
      if (profile.tag() == 1) {
        pbf_reader its = profile.get_message();
        its.next(1);
        type = texts_[static_cast<size_t>(its.get_int32())];
      } else if (profile.tag() == 2) {
        pbf_reader sample = profile.get_message();
        while (sample.next(4))
          for (const int64_t value : sample.get_packed_int64()) sums_[type] += value;
      } else {
        profile.skip();
      }
    }
  }

  std::string bytes_;
  std::vector<std::string> texts_;
  std::map<uint32_t, size_t> entries_;  // by table
  std::map<std::string, int64_t> sums_;
};

TEST_F(OtlpTest, AProfileForEachMetric) {
  AddExample();
  Read();
  EXPECT_EQ(texts_[0], "");
  EXPECT_THAT(sums_,
              UnorderedElementsAre(Pair("samples", 150), Pair("cpu", 11'000'000'000),
                                   Pair("python", 11'000'000'000), Pair("io_wait", 4'000'000'000),
                                   Pair("wall", 15'000'000'000), Pair("allocated", 4096),
                                   Pair("live_at_peak", 3500), Pair("live_at_exit", 3000),
                                   Pair("copied", 100)));
  EXPECT_EQ(entries_[7], 6u);  // five stacks, and none
  EXPECT_EQ(entries_[1], 2u);  // one module, and none
}

}  // namespace
}  // namespace pyrometer::export_
