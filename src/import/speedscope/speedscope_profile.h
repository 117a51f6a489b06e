// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "import/core/path_tree.h"
#include "import/core/profile_maker.h"
#include "import/json/json_reader.h"

namespace pyrometer::import_ {

// One of the profiles in a file of speedscope's format. Values are as in the file, because
// the unit may come after them.
class SpeedscopeProfile {
 public:
  struct Piece {
    uint32_t node;  // of the tree
    double begin;   // of samples: 0
    double end;     // of samples: the weight
  };

  SpeedscopeProfile(PathTree& tree, ProfileMaker& maker) : tree_(tree), maker_(maker) {}

  void Read(JsonReader& json);

  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }
  // Whether calls begin and end, instead of samples that have weights.
  bool evented() const { return evented_; }
  // Where the first piece begins.
  double start() const { return start_.value_or(0); }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  void ReadSamples(JsonReader& json);
  void ReadEvents(JsonReader& json);
  void OnEvent(bool open, uint32_t frame, double at);
  void Add(uint32_t node, double begin, double end);

  PathTree& tree_;
  ProfileMaker& maker_;
  std::string name_;
  std::string unit_ = "none";
  bool evented_ = false;
  std::optional<double> start_;
  std::vector<Piece> pieces_;
  std::vector<uint32_t> samples_;  // until it is known that all weights are there
  std::vector<double> weights_;
  // Of calls that have begun.
  std::vector<uint32_t> open_;                         // frames, outermost first
  std::unordered_map<uint32_t, uint32_t> times_open_;  // by frame
  uint32_t node_ = PathTree::kRoot;
  double at_ = 0;
};

}  // namespace pyrometer::import_
