// SPDX-License-Identifier: Apache-2.0
#include "format/read_ahead.h"

namespace pyrometer::format {

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

const ContentBlock* ReadAhead::Next() {
  std::unique_lock lock(mutex_);
  if (holds_one_) {
    ++used_;
    changed_.notify_all();
  }
  changed_.wait(lock, [this] { return used_ < filled_ || at_end_; });
  holds_one_ = used_ < filled_;
  return holds_one_ ? &places_[used_ % kPlaces] : nullptr;
}

void ReadAhead::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return filled_ < used_ + kPlaces || stopped_; });
    if (stopped_) break;
    ContentBlock& place = places_[filled_ % kPlaces];
    lock.unlock();
    const bool found = source_.Next(place);
    lock.lock();
    if (!found) break;
    ++filled_;
    changed_.notify_all();
  }
  at_end_ = true;
  changed_.notify_all();
}

}  // namespace pyrometer::format
