// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "capture/core/thread_capture.h"

namespace pyrometer::capture {

// The threads of one process that are there, by their number. Each stays where it is in memory
// until it is removed.
//
// Thread-safety: one owner.
class Threads {
 public:
  ThreadCapture& Add(uint32_t tid) {
    ThreadCapture& thread = by_tid_[tid];
    thread.tid = tid;
    return thread;
  }
  void Remove(uint32_t tid) { by_tid_.erase(tid); }

  // nullptr: there is none.
  ThreadCapture* Find(uint32_t tid) {
    const auto it = by_tid_.find(tid);
    return it == by_tid_.end() ? nullptr : &it->second;
  }
  const ThreadCapture* FindByPthread(uint64_t pthread) const {
    for (const auto& [tid, thread] : by_tid_)
      if (thread.pthread == pthread) return &thread;
    return nullptr;
  }

  bool empty() const { return by_tid_.empty(); }
  size_t size() const { return by_tid_.size(); }
  auto begin() { return by_tid_.begin(); }
  auto end() { return by_tid_.end(); }
  auto begin() const { return by_tid_.begin(); }
  auto end() const { return by_tid_.end(); }

 private:
  std::map<uint32_t, ThreadCapture> by_tid_;
};

}  // namespace pyrometer::capture
