// SPDX-License-Identifier: Apache-2.0
#include "cpython/object_layout.h"

namespace pyrometer::cpython {
namespace {

constexpr ObjectLayout kObjectLayouts[] = {
#include "cpython/objects_generated.inc"
};

}  // namespace

const ObjectLayout* FindObjectLayout(uint16_t minor, bool free_threaded) {
  for (const ObjectLayout& layout : kObjectLayouts) {
    if (layout.minor == minor && layout.free_threaded == free_threaded) return &layout;
  }
  return nullptr;
}

}  // namespace pyrometer::cpython
