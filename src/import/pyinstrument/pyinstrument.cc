// SPDX-License-Identifier: Apache-2.0
#include "import/pyinstrument/pyinstrument.h"

#include <algorithm>
#include <string>
#include <vector>

#include "import/json/json_sketch.h"
#include "import/json/json_tree.h"
#include "import/json/json_value.h"

namespace pyrometer::import_ {
namespace {

constexpr double kNsPerSecond = 1e9;

class CallTree {
 public:
  CallTree(JsonReader& json, ProfileMaker& maker) : json_(json), maker_(maker) {}

  void Read() {
    ReadJsonTree(
        json_, "children", [&](uint32_t parent) { return Begin(parent); },
        [&](uint32_t node, std::string_view key) { ReadMember(nodes_[node], key); });
  }

  void Write() {
    std::vector<format::StackId> stacks(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      const format::FrameId frame =
          maker_.Frame({.name = node.name,
                        .file = node.file,
                        .line = node.line,
                        .first_line = node.line,
                        .language = node.file == "<built-in>" ? FrameText::Language::kNative
                                                              : FrameText::Language::kGuess});
      stacks[i] = maker_.Stack(i == 0 ? format::kEmptyStack : stacks[node.parent], frame);
      if (i > 0) nodes_[node.parent].inside_ns += node.total_ns;
    }
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      // Times of the file are rounded; calls can have more than their caller by that.
      if (node.total_ns > node.inside_ns)
        maker_.AddTime(maker_.OnlyThread(), stacks[i],
                       {.weight_ns = node.total_ns - node.inside_ns});
    }
  }

 private:
  struct Node {
    uint32_t parent = 0;
    std::string name{}, file{};
    uint32_t line = 0;
    uint64_t total_ns = 0;
    uint64_t inside_ns = 0;  // of its calls
  };

  uint32_t Begin(uint32_t parent) {
    // What does not fit any more is read to its end, into one node.
    if (maker_.full() && !nodes_.empty()) return parent;
    nodes_.push_back({.parent = parent});
    maker_.Charge(sizeof(Node));
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  void ReadMember(Node& node, std::string_view key) {
    if (key == "function") {
      Keep(node.name);
    } else if (key == "file_path") {
      Keep(node.file);
    } else if (key == "line_no") {
      node.line = ReadSmall(json_);
    } else if (key == "time") {
      const auto ns = Amount(ReadReal(json_).value_or(-1), kNsPerSecond);
      if (!ns) maker_.AddLoss("values that cannot be");
      node.total_ns = ns.value_or(0);
    }
  }

  void Keep(std::string& text) {
    if (maker_.full()) return;
    text = json_.Text().value_or("");
    maker_.Charge(text.size());
  }

  JsonReader& json_;
  ProfileMaker& maker_;
  std::vector<Node> nodes_;  // parents come first
};

void SetTime(JsonReader& json, void (ProfileMaker::*set)(uint64_t), ProfileMaker& maker) {
  if (const auto ns = Amount(ReadReal(json).value_or(-1), kNsPerSecond)) (maker.*set)(*ns);
}

}  // namespace

bool RecognisesPyinstrument(std::string_view head, bool) {
  const JsonSketch sketch = SketchJson(head);
  return sketch.Has("root_frame") && sketch.Has("duration");
}

base::Status ReadPyinstrument(ByteInput& input, const ReadOptions&, ProfileMaker& maker) {
  JsonReader json(input);
  CallTree tree(json, maker);
  bool found = false;
  json.ForMembers([&](std::string_view key) {
    if (key == "root_frame" && !found) {
      found = true;
      tree.Read();
    } else if (key == "start_time") {
      SetTime(json, &ProfileMaker::SetStart, maker);
    } else if (key == "duration") {
      SetTime(json, &ProfileMaker::SetDuration, maker);
    } else if (key == "target_description") {
      maker.SetCommand({ReadText(json)});
    }
  });
  if (!maker.full()) tree.Write();
  maker.SetTool("pyinstrument");
  maker.AddNote("times are by the clock: what waits counts as running");
  maker.AddNote("the lines of functions are those where they begin: the file has no others");
  return FinishJson(json, maker);
}

}  // namespace pyrometer::import_
