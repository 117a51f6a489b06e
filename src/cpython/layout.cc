// SPDX-License-Identifier: Apache-2.0
#include "cpython/layout.h"

namespace pyrometer::cpython {
namespace {

constexpr Layout kLayouts[] = {
#include "cpython/layouts_generated.inc"
};

}  // namespace

const Layout* FindLayout(uint32_t version_hex) {
  constexpr uint32_t kRelease = 0xf0;
  if ((version_hex & kRelease) != kRelease) return nullptr;
  for (const Layout& layout : kLayouts) {
    if (layout.version_hex >> 16 == version_hex >> 16) return &layout;
  }
  return nullptr;
}

}  // namespace pyrometer::cpython
