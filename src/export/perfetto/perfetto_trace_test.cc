// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto/perfetto_trace.h"

#include <gmock/gmock.h>

#include <protozero/pbf_reader.hpp>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using protozero::pbf_reader;
using ::testing::ElementsAre;

class PerfettoTraceTest : public testing::ExchangeTest {
 protected:
  // "sequence: weights" of each sample.
  std::vector<std::string> Samples() const {
    const std::string bytes =
        Written([](Exchange& from, std::ostream& out) { WritePerfettoTrace(from, out); });
    std::vector<std::string> samples;
    pbf_reader trace(bytes);
    while (trace.next(1)) {
      pbf_reader packet = trace.get_message();
      std::string text;
      while (packet.next()) {
        if (packet.tag() == 10) {
          text = std::to_string(packet.get_uint32()) + ":";
        } else if (packet.tag() == 135) {
          pbf_reader sample = packet.get_message();
          while (sample.next()) {
            if (sample.tag() == 11 || sample.tag() == 14) {
              text += " " + std::to_string(sample.get_uint64());
            } else {
              sample.skip();
            }
          }
          samples.push_back(text);
        } else {
          packet.skip();
        }
      }
    }
    return samples;
  }
};

TEST_F(PerfettoTraceTest, SamplesHaveWeights) {
  AddExample();
  EXPECT_THAT(Samples(),
              ElementsAre("1: 1000000000 1000000000 1000000000 0 0",
                          "1: 2000000000 2000000000 2000000000 0 0", "1: 4000000000 0 0 0 0",
                          "1: 8000000000 8000000000 8000000000 0 0", "2: 4096", "3: 100"));
}

}  // namespace
}  // namespace pyrometer::export_
