// SPDX-License-Identifier: Apache-2.0
#include "import/v8/heapprofile.h"

#include <vector>

#include "import/json/json_sketch.h"
#include "import/json/json_tree.h"
#include "import/json/json_value.h"
#include "import/v8/v8_tree.h"

namespace pyrometer::import_ {
namespace {

void ReadHead(JsonReader& json, ProfileMaker& maker) {
  V8Tree tree(maker);
  std::vector<uint64_t> sizes;  // by node
  V8Frame frame;
  ReadJsonTree(
      json, "children",
      [&](uint32_t parent) -> uint32_t {
        // What does not fit any more is read to its end, into one node.
        if (maker.full()) return parent;
        const uint32_t node = tree.Add();
        sizes.push_back(0);
        if (node != parent) tree.SetParent(node, parent);
        return node;
      },
      [&](uint32_t node, std::string_view key) {
        if (maker.full()) return;
        if (key == "callFrame") {
          frame.Read(json);
          tree.SetFrame(node, frame);
        } else if (key == "selfSize") {
          const auto size = Amount(ReadReal(json).value_or(-1));
          if (!size) maker.AddLoss("values that cannot be");
          sizes[node] = size.value_or(0);
        }
      });
  if (maker.full()) return;
  const std::vector<V8Tree::Place> places = tree.Places();
  for (size_t i = 0; i < places.size(); ++i)
    if (sizes[i] > 0)
      maker.AddMemory(places[i].thread ? *places[i].thread : maker.OnlyThread(), places[i].stack,
                      {.at_peak = MemoryValue::Amount{sizes[i], 0}});
}

}  // namespace

bool RecognisesHeapProfile(std::string_view head, bool) {
  return SketchJson(head).Has("head") && head.find("\"selfSize\"") != head.npos;
}

base::Status ReadHeapProfile(ByteInput& input, const ReadOptions&, ProfileMaker& maker) {
  JsonReader json(input);
  bool found = false;
  json.ForMembers([&](std::string_view key) {
    if (key == "head" && !found) {
      found = true;
      ReadHead(json, maker);
    }
  });
  maker.AddNote("memory in use is taken for that at the peak");
  return FinishJson(json, maker);
}

}  // namespace pyrometer::import_
