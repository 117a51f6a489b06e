// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace pyrometer::base {

// A 32-bit index into one table. Each table has its own Tag, so a stack id
// cannot be passed where a frame id is wanted. Trivial: may live in shared
// memory and in signal handlers.
template <class Tag>
struct Id {
  uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t v) : value(v) {}
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

// An Id, or none, in no more room than an Id: for columns of millions. The largest id
// cannot be held.
template <class IdType>
class OptionalId {
 public:
  constexpr OptionalId() = default;
  constexpr OptionalId(std::optional<IdType> id)  // NOLINT(google-explicit-constructor)
      : number_(id ? id->value + 1 : 0) {}
  constexpr OptionalId(IdType id) : number_(id.value + 1) {}  // NOLINT(google-explicit-constructor)

  constexpr bool has_value() const { return number_ != 0; }
  constexpr explicit operator bool() const { return has_value(); }
  // REQUIRES: has_value()
  constexpr IdType operator*() const { return IdType(number_ - 1); }
  constexpr operator std::optional<IdType>() const {  // NOLINT(google-explicit-constructor)
    return has_value() ? std::optional(**this) : std::nullopt;
  }
  friend constexpr bool operator==(const OptionalId&, const OptionalId&) = default;

 private:
  uint32_t number_ = 0;  // plus one; 0: none
};

}  // namespace pyrometer::base
