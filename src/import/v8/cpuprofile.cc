// SPDX-License-Identifier: Apache-2.0
#include "import/v8/cpuprofile.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "import/core/count.h"
#include "import/json/json_sketch.h"
#include "import/json/json_value.h"
#include "import/v8/v8_tree.h"

namespace pyrometer::import_ {
namespace {

// Times are in microseconds.
constexpr int kDigitsOfTime = 3;
constexpr int64_t kNoNode = -1;

class CpuProfile {
 public:
  CpuProfile(JsonReader& json, ProfileMaker& maker) : json_(json), maker_(maker), tree_(maker) {}

  void Read() {
    json_.ForMembers([&](std::string_view key) {
      if (key == "nodes") {
        json_.ForElements([&] { ReadNode(); });
      } else if (key == "startTime") {
        start_ns_ = ReadTime();
      } else if (key == "endTime") {
        end_ns_ = ReadTime();
      } else if (key == "samples") {
        json_.ForElements([&] { Keep(samples_, ReadWhole(json_).value_or(kNoNode)); });
      } else if (key == "timeDeltas") {
        json_.ForElements([&] { Keep(deltas_ns_, ReadTime().value_or(0)); });
      }
    });
  }

  void Write(const CountMeaning& meaning) {
    for (const auto& [id, parent] : parents_)
      if (const auto node = node_of_.find(id); node != node_of_.end())
        tree_.SetParent(node->second, parent);
      else
        maker_.AddLoss("calls that the file does not have");
    for (size_t i = 0; i < callers_.size(); ++i)
      if (const auto caller = node_of_.find(callers_[i]); caller != node_of_.end())
        tree_.SetParent(callers_of_[i], caller->second);
    places_ = tree_.Places();
    if (has_lines_)
      maker_.AddNote(
          "the lines of functions are those where they begin; ticks of lines are left out");
    if (samples_.empty()) return WriteHits(meaning);
    WriteSamples();
  }

 private:
  std::optional<int64_t> ReadTime() {
    const auto text = json_.Number();
    return text ? ScaledNumber(*text, kDigitsOfTime) : std::nullopt;
  }

  void Keep(std::vector<int64_t>& list, int64_t value) {
    if (maker_.full()) return;
    list.push_back(value);
    maker_.Charge(sizeof value);
  }

  void ReadNode() {
    if (maker_.full()) return;
    const uint32_t node = tree_.Add();
    hits_.push_back(0);
    json_.ForMembers([&](std::string_view key) {
      if (key == "id") {
        if (const auto id = ReadWhole(json_); id && !node_of_.emplace(*id, node).second)
          maker_.AddLoss("nodes with the number of another");
      } else if (key == "callFrame") {
        V8Frame frame;
        frame.Read(json_);
        has_lines_ |= frame.line > 0;
        tree_.SetFrame(node, frame);
      } else if (key == "hitCount") {
        hits_[node] = static_cast<uint64_t>(std::max<int64_t>(0, ReadWhole(json_).value_or(0)));
      } else if (key == "children") {
        json_.ForElements([&] { AddChild(ReadWhole(json_).value_or(kNoNode), node); });
      } else if (key == "parent") {
        Keep(callers_, ReadWhole(json_).value_or(kNoNode));
        callers_of_.resize(callers_.size(), node);
      }
    });
  }

  void AddChild(int64_t id, uint32_t parent) {
    if (maker_.full()) return;
    constexpr size_t kEntryBytes = 48;
    maker_.Charge(kEntryBytes);
    if (!parents_.emplace(id, parent).second) maker_.AddLoss("calls with two callers");
  }

  std::optional<V8Tree::Place> PlaceOf(int64_t id) const {
    const auto node = node_of_.find(id);
    if (node == node_of_.end()) return {};
    return places_[node->second];
  }

  // A sample lasts until the next one.
  void WriteSamples() {
    if (deltas_ns_.size() < samples_.size()) {
      maker_.AddLoss("samples without a time", samples_.size() - deltas_ns_.size());
      samples_.resize(deltas_ns_.size());
    }
    const int64_t start_ns = start_ns_.value_or(0);
    if (samples_.empty()) return;
    int64_t at_ns = start_ns + deltas_ns_[0], now_ns = std::max(at_ns, start_ns);
    for (size_t i = 0; i < samples_.size(); ++i) {
      // Clocks that go back have been seen.
      int64_t until_ns = end_ns_.value_or(at_ns);
      if (i + 1 < samples_.size()) until_ns = at_ns = at_ns + deltas_ns_[i + 1];
      if (until_ns < now_ns) maker_.AddLoss("samples out of order");
      if (until_ns <= now_ns) continue;
      if (const auto place = PlaceOf(samples_[i])) {
        TimeValue value{.weight_ns = static_cast<uint64_t>(until_ns - now_ns),
                        .time_ns = static_cast<uint64_t>(until_ns - start_ns)};
        if (place->idle) value.activity = format::Activity::kOtherWait;
        maker_.AddTime(place->thread ? *place->thread : maker_.OnlyThread(), place->stack, value);
      } else {
        maker_.AddLoss("samples of calls that the file does not have");
      }
      now_ns = until_ns;
    }
  }

  void WriteHits(const CountMeaning& meaning) {
    for (uint32_t i = 0; i < hits_.size(); ++i)
      if (hits_[i] > 0)
        AddCount(maker_, places_[i].thread ? *places_[i].thread : maker_.OnlyThread(),
                 places_[i].stack, hits_[i], meaning);
    NoteCount(maker_, meaning);
  }

  JsonReader& json_;
  ProfileMaker& maker_;
  V8Tree tree_;
  std::unordered_map<int64_t, uint32_t> node_of_;  // by id
  std::unordered_map<int64_t, uint32_t> parents_;  // node, by id of the child
  // Where nodes name their callers instead: those, and which nodes.
  std::vector<int64_t> callers_;
  std::vector<uint32_t> callers_of_;
  std::vector<uint64_t> hits_;         // by node
  std::vector<V8Tree::Place> places_;  // by node
  std::vector<int64_t> samples_;       // ids
  std::vector<int64_t> deltas_ns_;
  std::optional<int64_t> start_ns_, end_ns_;
  bool has_lines_ = false;
};

}  // namespace

bool RecognisesCpuProfile(std::string_view head, bool) {
  const JsonSketch sketch = SketchJson(head);
  return !sketch.array && sketch.Has("nodes") && head.find("\"callFrame\"") != head.npos;
}

base::Status ReadCpuProfile(ByteInput& input, const ReadOptions& options, ProfileMaker& maker) {
  JsonReader json(input);
  CpuProfile profile(json, maker);
  profile.Read();
  if (!maker.full()) profile.Write(options.count);
  return FinishJson(json, maker);
}

}  // namespace pyrometer::import_
