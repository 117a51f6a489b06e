// SPDX-License-Identifier: Apache-2.0
#include "import/json/json_sketch.h"

#include <algorithm>

#include "import/json/json_reader.h"

namespace pyrometer::import_ {

bool JsonSketch::Has(std::string_view key) const {
  return std::ranges::find(keys, key) != keys.end();
}

JsonSketch SketchJson(std::string_view head) {
  ByteInput input({reinterpret_cast<const uint8_t*>(head.data()), head.size()});
  JsonReader json(input);
  JsonSketch sketch;
  sketch.array = json.Next() == JsonReader::Kind::kArray;
  if (sketch.array && !(json.BeginArray() && json.NextElement())) return sketch;
  json.ForMembers([&](std::string_view key) { sketch.keys.emplace_back(key); });
  return sketch;
}

}  // namespace pyrometer::import_
