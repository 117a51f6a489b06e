// SPDX-License-Identifier: Apache-2.0
#include "capture/session/frame_namer.h"

#include <sys/resource.h>
#include <unistd.h>

#include <iterator>
#include <utility>

namespace pyrometer::capture {
namespace {

constexpr int kNiceness = 10;

}  // namespace

FrameNamer::~FrameNamer() { Finish(); }

void FrameNamer::Add(std::vector<Frame> frames) {
  if (frames.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    wanted_.insert(wanted_.end(), std::make_move_iterator(frames.begin()),
                   std::make_move_iterator(frames.end()));
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { Work(); });
  changed_.notify_one();
}

std::vector<symbolize::NamedFrame> FrameNamer::Take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(found_, {});
}

std::vector<symbolize::NamedFrame> FrameNamer::Finish() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    // Now somebody waits for it.
    changed_.notify_one();
    thread_.join();
    done_ = false;
  }
  return Take();
}

void FrameNamer::Work() {
  // On Linux the priority is the thread's own.
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness);
  symbolize::Symbolizer symbolizer;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return done_ || !wanted_.empty(); });
    if (wanted_.empty()) return;
    const std::vector<Frame> batch = std::exchange(wanted_, {});
    lock.unlock();
    std::vector<symbolize::FrameAddress> frames;
    frames.reserve(batch.size());
    for (const Frame& frame : batch)
      frames.push_back(
          {frame.frame, frame.path, frame.build_id, frame.address, false, frame.detail});
    auto named = symbolize::SymbolizeFrames(symbolizer, frames, {}).frames;
    lock.lock();
    found_.insert(found_.end(), std::make_move_iterator(named.begin()),
                  std::make_move_iterator(named.end()));
  }
}

}  // namespace pyrometer::capture
