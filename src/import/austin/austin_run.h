// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// What austin says about its run, and what its numbers mean by that.
//
// Thread-safety: none; one owner.
class AustinRun {
 public:
  explicit AustinRun(ProfileMaker& maker) : maker_(maker) {}

  // A pair of its metadata: "mode" and "wall".
  void Take(std::string_view key, std::string_view value);

  struct Metrics {
    std::optional<int64_t> time_us{};
    std::optional<int64_t> memory_bytes{};  // what the process grew by; below 0: shrank
    bool idle = false;
  };
  void Add(format::ThreadId thread, format::StackId stack, const Metrics& metrics);
  // Which of the two a single number is.
  bool has_memory_only() const { return mode_ == Mode::kMemory; }

  void Note() const;

  // Frames that stand for what is no code.
  static constexpr FrameText kCollector{.name = "<garbage collection>",
                                        .language = FrameText::Language::kNative};
  static constexpr FrameText kInvalid{.name = "<invalid>",
                                      .language = FrameText::Language::kNative};

 private:
  enum class Mode : uint8_t { kWall, kCpu, kMemory, kFull };

  ProfileMaker& maker_;
  Mode mode_ = Mode::kWall;
  bool shrank_ = false;
};

}  // namespace pyrometer::import_
