// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "capture/core/thread_capture.h"
#include "cpython/threads.h"

namespace pyrometer::capture {

// Which thread state of the interpreter is whose.
class ThreadStateMap {
 public:
  // Up to 3.11 the state of a thread that is about to begin still bears the number of the
  // thread that starts it. The list has the newest first, so the last that fits is the
  // thread's own.
  explicit ThreadStateMap(std::span<const cpython::PythonThread> states) {
    for (const cpython::PythonThread& state : states) {
      auto& map = state.native_tid != 0 ? by_tid_ : by_pthread_;
      map.insert_or_assign(state.native_tid != 0 ? state.native_tid : state.pthread, state.tstate);
    }
  }

  // 0: it has none.
  uint64_t Of(const ThreadCapture& thread) const {
    if (const auto it = by_tid_.find(thread.tid); it != by_tid_.end()) return it->second;
    const auto it = by_pthread_.find(thread.pthread);
    return it != by_pthread_.end() ? it->second : 0;
  }

 private:
  std::unordered_map<uint64_t, uint64_t> by_tid_;
  std::unordered_map<uint64_t, uint64_t> by_pthread_;
};

}  // namespace pyrometer::capture
