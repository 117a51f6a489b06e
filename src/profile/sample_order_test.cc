// SPDX-License-Identifier: Apache-2.0
#include "profile/sample_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace pyrometer::profile {
namespace {

using ::testing::ElementsAre;

class SampleOrderTest : public ::testing::Test {
 protected:
  // Threads and times; the stack is the number of the row, so that rows can be told apart.
  void Add(std::initializer_list<std::pair<uint32_t, uint64_t>> rows) {
    for (const auto& [thread, time] : rows) {
      samples_.time_ns.push_back(time);
      samples_.thread.push_back(format::ThreadId(thread));
      samples_.stack.push_back(format::StackId(static_cast<uint32_t>(samples_.size())));
      samples_.activity.push_back(format::Activity::kSleep);
      samples_.weight_ns.push_back(10 * time);
      samples_.count.push_back(1);
      samples_.task.push_back({});
    }
  }
  // "thread@time=stack"
  std::vector<std::string> Ordered() {
    OrderByTime(&samples_, 2);
    std::vector<std::string> rows;
    for (size_t i = 0; i < samples_.size(); ++i) {
      EXPECT_EQ(samples_.weight_ns[i], 10 * samples_.time_ns[i]);
      rows.push_back(std::to_string(samples_.thread[i].value) + "@" +
                     std::to_string(samples_.time_ns[i]) + "=" +
                     std::to_string(samples_.stack[i].value));
    }
    return rows;
  }

  SampleColumns samples_;
};

TEST_F(SampleOrderTest, EachThreadIsInOrderAndKeepsItsRows) {
  Add({{0, 5}, {1, 9}, {0, 3}, {1, 9}, {1, 4}, {0, 4}});
  EXPECT_THAT(Ordered(), ElementsAre("0@3=3", "1@4=5", "0@4=6", "1@9=2", "1@9=4", "0@5=1"));
}

TEST_F(SampleOrderTest, WhatIsInOrderStaysAsItIs) {
  Add({{0, 3}, {1, 1}, {0, 3}, {1, 2}});
  EXPECT_THAT(Ordered(), ElementsAre("0@3=1", "1@1=2", "0@3=3", "1@2=4"));
}

}  // namespace
}  // namespace pyrometer::profile
