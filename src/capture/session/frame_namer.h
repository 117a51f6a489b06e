// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "format/records.h"
#include "symbolize/symbolize_frames.h"

namespace pyrometer::capture {

// Names native frames while the program still runs, on a thread of its own
// with low priority: reading a large library's tables takes longer than a
// collector may be away from its rings, and nobody wants to wait for it when
// the program has ended.
//
// Thread-safety: one owner. The thread starts with the first Add().
class FrameNamer {
 public:
  struct Frame {
    format::FrameId frame;
    std::string path;
    std::string build_id;
    uint64_t address;
    symbolize::Detail detail;
  };

  FrameNamer() = default;
  ~FrameNamer();
  FrameNamer(const FrameNamer&) = delete;
  FrameNamer& operator=(const FrameNamer&) = delete;

  void Add(std::vector<Frame> frames);
  // Names that were found since the last call.
  std::vector<symbolize::NamedFrame> Take();
  // Waits until everything that was added has been looked up, and ends the
  // thread; another Add() starts a new one.
  std::vector<symbolize::NamedFrame> Finish();

 private:
  void Work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Frame> wanted_;                 // guarded by mutex_
  std::vector<symbolize::NamedFrame> found_;  // guarded by mutex_
  bool done_ = false;                         // guarded by mutex_
  std::thread thread_;
};

}  // namespace pyrometer::capture
