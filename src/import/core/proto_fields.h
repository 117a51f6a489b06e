// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>

namespace pyrometer::import_ {

// A field and how it is written, as cases of `switch (message.tag_and_type())`: a field of
// another type than expected is then one that is not known.
constexpr uint32_t VarintField(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::varint);
}
constexpr uint32_t BytesField(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::length_delimited);
}

inline std::string_view ToText(const protozero::data_view& view) {
  return {view.data(), view.size()};
}

}  // namespace pyrometer::import_
