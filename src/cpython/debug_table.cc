// SPDX-License-Identifier: Apache-2.0
#include "cpython/debug_table.h"

#include "cpython/layout.h"

namespace pyrometer::cpython {
namespace {

constexpr DebugTable kTables[] = {
#include "cpython/debug_tables_generated.inc"
};

constexpr Supplement kSupplements[] = {
#include "cpython/supplements_generated.inc"
};

}  // namespace

const DebugTable* FindDebugTable(uint16_t minor) {
  for (const DebugTable& table : kTables) {
    if (table.minor == minor) return &table;
  }
  return nullptr;
}

const Supplement* FindSupplement(uint16_t minor, bool free_threaded) {
  for (const Supplement& supplement : kSupplements) {
    if (supplement.minor == minor && supplement.free_threaded == free_threaded) return &supplement;
  }
  return nullptr;
}

}  // namespace pyrometer::cpython
