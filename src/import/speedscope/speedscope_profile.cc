// SPDX-License-Identifier: Apache-2.0
#include "import/speedscope/speedscope_profile.h"

#include <algorithm>
#include <limits>

#include "import/json/json_value.h"

namespace pyrometer::import_ {
namespace {

// No list of frames is that long.
constexpr uint32_t kNoFrame = std::numeric_limits<uint32_t>::max();

uint32_t FrameNumber(JsonReader& json) {
  const int64_t number = ReadWhole(json).value_or(-1);
  return number >= 0 && number < kNoFrame ? static_cast<uint32_t>(number) : kNoFrame;
}

}  // namespace

void SpeedscopeProfile::Read(JsonReader& json) {
  json.ForMembers([&](std::string_view key) {
    if (key == "name") {
      name_ = ReadText(json);
    } else if (key == "unit") {
      unit_ = ReadText(json);
    } else if (key == "startValue") {
      start_ = ReadReal(json);
    } else if (key == "samples") {
      ReadSamples(json);
    } else if (key == "weights") {
      json.ForElements([&] {
        weights_.push_back(ReadReal(json).value_or(-1));
        maker_.Charge(sizeof weights_[0]);
        if (maker_.full()) weights_.clear();
      });
    } else if (key == "events") {
      ReadEvents(json);
    }
  });
  const size_t count = std::min(samples_.size(), weights_.size());
  if (samples_.size() != weights_.size())
    maker_.AddLoss("samples without a weight", std::max(samples_.size(), weights_.size()) - count);
  for (size_t i = 0; i < count; ++i) Add(samples_[i], 0, weights_[i]);
  samples_ = {};
  weights_ = {};
}

void SpeedscopeProfile::Add(uint32_t node, double begin, double end) {
  if (maker_.full()) return;
  pieces_.push_back({node, begin, end});
  maker_.Charge(sizeof(Piece));
}

void SpeedscopeProfile::ReadSamples(JsonReader& json) {
  json.ForElements([&] {
    uint32_t node = PathTree::kRoot;
    json.ForElements([&] {
      const uint32_t frame = FrameNumber(json);
      if (!maker_.full()) node = tree_.Child(node, frame);
    });
    if (maker_.full()) return;
    samples_.push_back(node);
    maker_.Charge(sizeof node);
  });
}

void SpeedscopeProfile::ReadEvents(JsonReader& json) {
  evented_ = true;
  bool first = true;
  json.ForElements([&] {
    char type = 0;
    uint32_t frame = kNoFrame;
    std::optional<double> at;
    json.ForMembers([&](std::string_view key) {
      if (key == "type") {
        const std::string_view text = json.Text().value_or("");
        type = text.size() == 1 ? text[0] : 0;
      } else if (key == "frame") {
        frame = FrameNumber(json);
      } else if (key == "at") {
        at = ReadReal(json);
      }
    });
    if ((type != 'O' && type != 'C') || frame == kNoFrame || !at) {
      maker_.AddLoss("events that make no sense");
      return;
    }
    if (first) {
      at_ = *at;
      start_ = std::min(start_.value_or(at_), at_);
    }
    first = false;
    OnEvent(type == 'O', frame, *at);
  });
  // What was still open has no end.
  if (!open_.empty()) maker_.AddLoss("calls without an end", open_.size());
}

void SpeedscopeProfile::OnEvent(bool open, uint32_t frame, double at) {
  if (maker_.full()) return;
  if (at < at_) {
    maker_.AddLoss("events out of order");
    at = at_;
  }
  if (!open_.empty() && at > at_) Add(node_, at_, at);
  at_ = at;
  if (open) {
    open_.push_back(frame);
    ++times_open_[frame];
    node_ = tree_.Child(node_, frame);
    maker_.Charge(2 * sizeof frame);
    return;
  }
  const auto it = times_open_.find(frame);
  if (it == times_open_.end() || it->second == 0) {
    maker_.AddLoss("ends of calls that have not begun");
    return;
  }
  // Calls inside of it that did not end have ended with it.
  for (bool done = false; !done;) {
    done = open_.back() == frame;
    if (!done) maker_.AddLoss("calls without an end");
    --times_open_[open_.back()];
    open_.pop_back();
    node_ = tree_.ParentOf(node_);
  }
}

}  // namespace pyrometer::import_
