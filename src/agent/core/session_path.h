// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/record_options.h"

namespace pyrometer::agent {

// The path of something in the session directory, or elsewhere, put together without a heap.
// What does not fit is cut. Signal-safety: safe.
struct SessionPath {
  char text[base::RecordOptions::kMaxPath + 64] = "";
  size_t size = 0;

  explicit SessionPath(const char* session) { Add(session); }

  SessionPath& Add(const char* s) {
    while (*s != '\0' && size + 1 < sizeof text) text[size++] = *s++;
    text[size] = '\0';
    return *this;
  }
  SessionPath& Add(uint64_t value) {
    char digits[24];
    size_t n = sizeof digits;
    digits[--n] = '\0';
    do digits[--n] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    return Add(digits + n);
  }
};

}  // namespace pyrometer::agent
