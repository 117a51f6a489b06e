// SPDX-License-Identifier: Apache-2.0
#include "agent/core/announced_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace pyrometer::agent {
namespace {

using Table = AnnouncedTable<256>;

TEST(AnnouncedTable, SameKeySameSlotOtherKeyOtherSlot) {
  auto table = std::make_unique<Table>();
  const uint32_t a = table->Slot(7);
  EXPECT_EQ(table->Slot(7), a);
  EXPECT_NE(table->Slot(7 + 256), a);  // same place, other key
}

TEST(AnnouncedTable, ClaimedIsNotAnnounced) {
  auto table = std::make_unique<Table>();
  const uint32_t slot = table->Slot(9);
  EXPECT_FALSE(table->Announced(slot));
  table->SetAnnounced(slot);
  EXPECT_TRUE(table->Announced(slot));
  table->Clear();
  EXPECT_FALSE(table->Announced(table->Slot(9)));
}

TEST(AnnouncedTable, FullSaysSoAndKeepsWhatItHas) {
  auto table = std::make_unique<Table>();
  std::set<uint32_t> slots;
  uint64_t key = 1;
  while (table->Slot(key) != Table::kFull && key < 1000) slots.insert(table->Slot(key++));
  EXPECT_LT(key, 1000u);
  EXPECT_EQ(slots.size(), key - 1);
  EXPECT_NE(table->Slot(1), Table::kFull);
}

}  // namespace
}  // namespace pyrometer::agent
