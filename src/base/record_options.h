// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pyrometer::base {

// Which clock makes the samples. docs/design/0002-clocks.md has the reasons.
enum class Clock : uint8_t {
  kAuto,   // the CPU timer up to the kernel's tick rate, perf above it
  kTimer,  // POSIX per-thread CPU timer: free of cost, at most one per tick
  kPerf,   // perf task-clock event: any rate, dearer per sample
};

// Everything that decides what is recorded: one struct and one text grammar
// for the command line, the environment of the profiled program and the
// capture file. Trivial, so that the agent can hold it without a heap.
//
// Grammar: `key=value` pairs separated by ';'. Unknown keys are errors.
struct RecordOptions {
  static constexpr size_t kMaxPath = 512;
  static constexpr uint32_t kMaxRate = 10000;
  // The first second of each thread at the first of these, the rest at the other.
  static constexpr uint32_t kFirstRate = 250;
  static constexpr uint32_t kLaterRate = 125;

  char session[kMaxPath] = "";  // spool directory of this run
  uint32_t rate_hz = 0;         // samples per second of CPU time; 0: as many as are cheap
  Clock clock = Clock::kAuto;
  bool native = true;            // record native frames
  bool off = false;              // start paused
  bool children = true;          // follow child processes
  bool profile_builtin = false;  // the program uses @profile without importing it
  bool cpu = true;               // sample time
  bool memory = true;            // sample allocations and copies
  uint32_t mem_interval = 0;     // mean bytes between sampled ones; 0: as many as are cheap
  uint32_t duration_ms = 0;      // stop recording after this; 0: never
};

inline constexpr char kRecordVariable[] = "PYROMETER_RECORD";
// In the session directory; locked by whoever collects from it.
inline constexpr char kLockFile[] = "lock";
// Files of a session: a ring, and the empty one of a process that got none.
inline constexpr char kRingSuffix[] = ".ring";
inline constexpr char kRefusedSuffix[] = ".refused";
// The LD_PRELOAD that the program would have had without us, if any.
inline constexpr char kPreloadVariable[] = "PYROMETER_LD_PRELOAD";

constexpr std::string_view ClockName(Clock clock) {
  switch (clock) {
    case Clock::kTimer:
      return "timer";
    case Clock::kPerf:
      return "perf";
    default:
      return "auto";
  }
}

namespace options_detail {

constexpr bool ParseNumber(std::string_view text, uint32_t* out) {
  if (text.empty() || text.size() > 9) return false;
  uint32_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + static_cast<uint32_t>(c - '0');
  }
  *out = value;
  return true;
}

constexpr bool ParseFlag(std::string_view text, bool* out) {
  *out = text == "1";
  return text == "1" || text == "0";
}

}  // namespace options_detail

// Sets the option `key`. False: no such key, or a value that it cannot have.
// Signal-safety: safe.
constexpr bool SetOption(RecordOptions* options, std::string_view key, std::string_view value) {
  using namespace options_detail;  // NOLINT(google-build-using-namespace)
  if (key == "session") {
    if (value.size() >= RecordOptions::kMaxPath) return false;
    for (size_t i = 0; i < value.size(); ++i) options->session[i] = value[i];
    options->session[value.size()] = '\0';
    return true;
  }
  if (key == "rate")
    return ParseNumber(value, &options->rate_hz) && options->rate_hz <= RecordOptions::kMaxRate;
  if (key == "clock") {
    for (Clock clock : {Clock::kAuto, Clock::kTimer, Clock::kPerf})
      if (value == ClockName(clock)) {
        options->clock = clock;
        return true;
      }
    return false;
  }
  if (key == "native") return ParseFlag(value, &options->native);
  if (key == "off") return ParseFlag(value, &options->off);
  if (key == "children") return ParseFlag(value, &options->children);
  if (key == "profile_builtin") return ParseFlag(value, &options->profile_builtin);
  if (key == "cpu") return ParseFlag(value, &options->cpu);
  if (key == "memory") return ParseFlag(value, &options->memory);
  if (key == "mem_interval") return ParseNumber(value, &options->mem_interval);
  if (key == "duration_ms") return ParseNumber(value, &options->duration_ms);
  return false;
}

// Reads the whole grammar. False, with *options partly set, on any error.
constexpr bool ParseOptions(std::string_view text, RecordOptions* options) {
  // Without substr(), which can throw and would need the C++ runtime.
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const char* equals = at;
    while (equals != end && *equals != '=' && *equals != ';') ++equals;
    if (equals == end || *equals == ';') return false;
    const char* stop = equals;
    while (stop != end && *stop != ';') ++stop;
    if (!SetOption(options, std::string_view(at, equals), std::string_view(equals + 1, stop)))
      return false;
    at = stop == end ? end : stop + 1;
  }
  return true;
}

}  // namespace pyrometer::base
