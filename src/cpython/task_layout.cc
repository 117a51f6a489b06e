// SPDX-License-Identifier: Apache-2.0
#include "cpython/task_layout.h"

namespace pyrometer::cpython {
namespace {

constexpr TaskLayout kTaskLayouts[] = {
#include "cpython/tasks_generated.inc"
};

}  // namespace

const TaskLayout* FindTaskLayout(uint16_t minor, bool free_threaded) {
  for (const TaskLayout& layout : kTaskLayouts) {
    if (layout.minor == minor && layout.free_threaded == free_threaded) return &layout;
  }
  return nullptr;
}

}  // namespace pyrometer::cpython
