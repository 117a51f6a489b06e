// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/jit_list.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "symbolize/tiny_image.h"

namespace {

// GDB's JIT interface, as a JIT inside this process would have it.
struct Entry {
  Entry* next;
  Entry* previous;
  const char* image;
  uint64_t image_bytes;
};

}  // namespace

extern "C" {
struct JitDescriptor {
  uint32_t version;
  uint32_t action;
  Entry* relevant;
  Entry* first;
};
__attribute__((used, visibility("default"))) JitDescriptor __jit_debug_descriptor = {};
}

namespace pyrometer::capture {
namespace {

constexpr uint64_t kStart = 0x7f0000001000;

class JitListTest : public testing::Test {
 protected:
  void SetUp() override { __jit_debug_descriptor = {1, 0, nullptr, nullptr}; }

  std::string NameAt(uint64_t pc) {
    const auto lines = list_.Lookup(pc);
    return lines.empty() ? "" : lines[0].function;
  }
  size_t Update() { return list_.Update(os::ReadExecutableMaps(getpid())).size(); }

  const std::string image_ = symbolize::TinyImage(kStart, 64, "jit_function");
  const std::string other_ = symbolize::TinyImage(kStart + 4096, 64, "other_function");
  Entry second_{nullptr, nullptr, other_.data(), other_.size()};
  Entry first_{&second_, nullptr, image_.data(), image_.size()};
  JitList list_{getpid()};
};

TEST_F(JitListTest, EveryImageOfTheListIsKnown) {
  __jit_debug_descriptor.first = &first_;
  EXPECT_EQ(Update(), 0u);
  EXPECT_EQ(NameAt(kStart + 1), "jit_function");
  EXPECT_EQ(NameAt(kStart + 4096), "other_function");
  EXPECT_EQ(NameAt(kStart + 64), "");
}

TEST_F(JitListTest, WhatLeavesTheListIsTold) {
  __jit_debug_descriptor.first = &first_;
  Update();
  __jit_debug_descriptor.first = &second_;
  const auto gone = list_.Update(os::ReadExecutableMaps(getpid()));
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_TRUE(gone[0]->Contains(kStart));
  EXPECT_EQ(NameAt(kStart), "");
  EXPECT_EQ(NameAt(kStart + 4096), "other_function");
}

TEST_F(JitListTest, ARingEnds) {
  __jit_debug_descriptor.first = &first_;
  second_.next = &first_;
  Update();
  EXPECT_EQ(NameAt(kStart + 4096), "other_function");
}

TEST_F(JitListTest, ListsThatLeadNowhereDoNoHarm) {
  __jit_debug_descriptor.first = reinterpret_cast<Entry*>(uint64_t{16});
  Update();
  __jit_debug_descriptor.first = &first_;
  first_.image_bytes = uint64_t{1} << 60;
  second_.image = reinterpret_cast<const char*>(uint64_t{4096});
  Update();
  EXPECT_EQ(NameAt(kStart), "");
  __jit_debug_descriptor.version = 7;
  Update();
}

}  // namespace
}  // namespace pyrometer::capture
