// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/core/profile_maker.h"
#include "import/core/proto_fields.h"

namespace pyrometer::import_ {

// What a counter of a trace counts.
struct PerfettoCounter {
  std::string name{};
  std::string unit{};
  uint64_t multiplier = 1;
};

// What the packets of one sequence refer to by number: names, frames, stacks, and what holds
// where a packet does not say otherwise. Messages are those of perfetto_trace.proto; reading
// throws protozero's exceptions where they are damaged.
//
// Thread-safety: none; one owner.
class PerfettoSequence {
 public:
  explicit PerfettoSequence(ProfileMaker& maker) : maker_(maker) {}

  // Everything that was known is no more.
  void Clear();
  void ReadInterned(protozero::pbf_reader interned);
  void ReadDefaults(protozero::pbf_reader defaults);
  void ReadClocks(protozero::pbf_reader snapshot);

  // In nanoseconds of the trace's own clock.
  uint64_t TimeOf(uint64_t timestamp, std::optional<uint64_t> clock);
  std::string_view EventName(uint64_t iid) const;
  // The frames of a stack, outermost first.
  format::StackId Stack(uint64_t iid);
  format::StackId InlineStack(protozero::pbf_reader callstack);

  struct Task {
    uint32_t pid = 0, tid = 0;
  };
  static Task ReadTask(protozero::pbf_reader task);
  std::optional<Task> TaskOf(uint64_t iid) const;
  static PerfettoCounter ReadCounter(protozero::pbf_reader counter);
  const PerfettoCounter* CounterOf(uint64_t iid) const;

  // Of stack samples.
  const std::string& source() const { return source_; }
  const std::optional<PerfettoCounter>& primary() const { return primary_; }
  const std::vector<PerfettoCounter>& followers() const { return followers_; }
  // Of samples of perf: 0 where it is not known.
  uint64_t samples_per_second() const { return samples_per_second_; }
  uint64_t default_track() const { return default_track_; }

 private:
  struct Frame {
    uint64_t name = 0, mapping = 0, path = 0, offset = 0;
    uint32_t line = 0;
    uint64_t kind = 0;
  };
  struct Clock {
    bool incremental = false;
    uint64_t multiplier_ns = 1;
    uint64_t now_ns = 0;     // of the clock itself
    uint64_t ahead_ns = 0;   // of now_ns: when the trace's clock shows more
    uint64_t behind_ns = 0;  // or less
  };
  using Texts = std::unordered_map<uint64_t, std::string>;

  void ReadText(protozero::pbf_reader entry, Texts& to);
  void ReadFrame(protozero::pbf_reader entry);
  void ReadStack(protozero::pbf_reader entry);
  void ReadMapping(protozero::pbf_reader entry);
  void ReadSampleDefaults(protozero::pbf_reader defaults);
  void ReadPerfDefaults(protozero::pbf_reader defaults);
  std::string_view Text(const Texts& texts, uint64_t iid);
  format::FrameId FrameOf(uint64_t iid);

  ProfileMaker& maker_;
  Texts event_names_, function_names_, source_paths_, mapping_paths_;
  std::unordered_map<uint64_t, std::string> mappings_;  // their paths
  std::unordered_map<uint64_t, Frame> frames_;
  std::unordered_map<uint64_t, format::FrameId> known_frames_;
  std::unordered_map<uint64_t, std::vector<uint64_t>> stacks_;
  std::unordered_map<uint64_t, format::StackId> known_stacks_;
  std::unordered_map<uint64_t, Task> tasks_;
  std::unordered_map<uint64_t, PerfettoCounter> counters_;
  std::unordered_map<uint64_t, Clock> clocks_;
  std::string source_;
  std::optional<PerfettoCounter> primary_;
  std::vector<PerfettoCounter> followers_;
  uint64_t samples_per_second_ = 0;
  uint64_t default_track_ = 0;
  std::optional<uint64_t> default_clock_;
  std::vector<format::FrameId> path_;  // kept for its memory
};

}  // namespace pyrometer::import_
