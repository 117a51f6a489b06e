// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "profile/profile.h"

namespace pyrometer::analyze::testing {

// A block of that many bytes that was certain to be seen.
inline format::MemoryAmount Exactly(uint64_t bytes, uint64_t blocks = 1) {
  return {.bytes = bytes, .blocks = blocks, .samples = blocks};
}

// Makes small profiles for tests from stacks written as text, root first:
//
//   "main:10 > f:3 > memcpy [libc.so.6] > <truncated>"
//
// A frame is `function:line` of the file app.py, `file|function:line`,
// `function@first_line:line`, `function [module]` (`? [module]`: no symbol,
// `outer/inlined [module]`: two functions at one address) or `<special>`.
class ProfileBuilder {
 public:
  // Starts with one process (pid 100, from 0 s to 10 s) and its main thread.
  ProfileBuilder();

  // Time from here on belongs to a new process, its main thread first.
  ProfileBuilder& Process(uint64_t pid, double start_s, double end_s);
  // Time from here on belongs to a new thread of the current process.
  ProfileBuilder& Thread(uint64_t tid, std::string name);
  // The current process ran this long.
  ProfileBuilder& Elapsed(double seconds);
  // `count` samples with `seconds` in all.
  ProfileBuilder& Add(std::string_view stack, format::Activity activity, double seconds,
                      uint32_t count = 1);
  // A task that runs the coroutine function of the frame `coroutine`. What is
  // added from here on runs in it, and awaits are its.
  ProfileBuilder& Task(std::string_view coroutine, std::string_view name);
  // Where the last task was made.
  ProfileBuilder& MadeBy(std::string_view stack);
  ProfileBuilder& Await(std::string_view stack, format::AwaitState state, double seconds,
                        uint32_t count = 1);
  // A callback of the current thread holds its event loop.
  ProfileBuilder& Held(std::string_view stack, double begin, double seconds);
  // The current thread has allocated and freed in the window that ends at
  // `end_s`. Of copies, `allocated` is what was copied.
  ProfileBuilder& Memory(std::string_view stack, format::MemoryKind kind, double end_s,
                         format::MemoryAmount allocated, format::MemoryAmount freed = {},
                         uint64_t high_bytes = 0);
  // The current process had most in use at `at_s`, of which this is a part.
  ProfileBuilder& Peak(double at_s, std::string_view stack, format::MemoryKind kind,
                       format::MemoryAmount amount);
  // This was live when its last line had run, at `at_s`.
  ProfileBuilder& Survivor(double at_s, std::string_view stack, format::MemoryKind kind,
                           std::string_view type, format::MemoryAmount amount);
  // `level` of the current process.
  ProfileBuilder& Level(double at_s, format::MemoryLevel level);
  ProfileBuilder& Source(std::string_view path, std::string text);
  ProfileBuilder& Counter(format::CounterKind kind, std::string name, uint64_t value);

  // Functions of that name have @profile, or are `inner` ones of such.
  ProfileBuilder& Mark(std::string_view function, bool inner = false);

  // For what the language has no word for.
  profile::Profile& profile() { return profile_; }
  const profile::Profile& Build() const { return profile_; }

 private:
  std::optional<format::TaskId> CurrentTask() const;
  format::ThreadId CurrentThread() const;
  format::ProcessId CurrentProcess() const;
  format::StringId Text(std::string_view text);
  format::StackId Stack(std::string_view text);
  format::FrameId Frame(std::string_view text);
  format::FrameInfo PythonFrame(std::string_view text);

  profile::Profile profile_;
  std::map<std::string, uint32_t, std::less<>> strings_, frames_, modules_;
  std::map<std::tuple<uint32_t, uint32_t>, uint32_t> stacks_;
  std::map<std::tuple<uint32_t, uint32_t>, uint32_t> codes_;
  uint64_t now_ns_ = 0;
};

}  // namespace pyrometer::analyze::testing
