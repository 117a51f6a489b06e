// SPDX-License-Identifier: Apache-2.0
#include "agent/core/stack_switcher.h"

#include <gtest/gtest.h>

namespace pyrometer::agent {
namespace {

TEST(StackSwitcherTest, IsGreenletOfAnyVersion) {
  EXPECT_TRUE(IsStackSwitcher("/v/greenlet/_greenlet.cpython-312-x86_64-linux-gnu.so"));
  EXPECT_TRUE(IsStackSwitcher("/v/greenlet.cpython-38-x86_64-linux-gnu.so"));
  EXPECT_TRUE(IsStackSwitcher("_greenlet.abi3.so"));
}

TEST(StackSwitcherTest, IsNothingElse) {
  EXPECT_FALSE(IsStackSwitcher(""));
  EXPECT_FALSE(IsStackSwitcher("/v/greenlet/other.so"));
  EXPECT_FALSE(IsStackSwitcher("/v/gevent/_gevent_cgreenlet.cpython-312-x86_64-linux-gnu.so"));
  EXPECT_FALSE(IsStackSwitcher("/v/_greenlet.d/libpython3.12.so"));
}

}  // namespace
}  // namespace pyrometer::agent
