// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// A value in the marshal format of Python, all versions of it. Written by hand, because
// there is no library for it but Python itself. Objects that hold code are refused.
//
// The bytes must outlive it. Thread-safety: immutable after construction.
class Marshal {
 public:
  enum class Kind : uint8_t { kOther, kInteger, kReal, kText, kTuple, kDict };
  struct Value {
    Kind kind = Kind::kOther;
    int64_t integer = 0;  // saturated; booleans are 0 and 1
    double real = 0;
    std::string_view text{};  // or bytes
    uint32_t begin = 0, end = 0;
  };

  // `maker` is charged for what it takes.
  static base::Result<Marshal> Read(std::string_view bytes, ProfileMaker& maker);

  const Value& root() const { return values_.back(); }
  // Of a tuple (or list, or set); of a dict, keys and values in turn.
  size_t SizeOf(const Value& value) const { return value.end - value.begin; }
  const Value& Item(const Value& value, size_t i) const { return values_[items_[value.begin + i]]; }

 private:
  class Reader;

  std::vector<Value> values_;  // the root comes last
  std::vector<uint32_t> items_;
};

}  // namespace pyrometer::import_
