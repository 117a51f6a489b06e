// SPDX-License-Identifier: Apache-2.0
#include "cli/write_behind.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace pyrometer::cli {
namespace {

constexpr size_t kChunk = size_t{1} << 20;

}  // namespace

WriteBehind::WriteBehind(int fd) : ChunkBuffer(kChunk), fd_(fd), thread_([this] { Run(); }) {}

WriteBehind::~WriteBehind() { Finish(); }

int WriteBehind::Finish() {
  if (!thread_.joinable()) return error_;
  if (Chunk rest = TakeRest(); !rest.empty()) Take(std::move(rest));
  {
    const std::lock_guard lock(mutex_);
    last_ = true;
  }
  changed_.notify_all();
  thread_.join();
  return error_;
}

base::ChunkBuffer::Chunk WriteBehind::Take(Chunk chunk) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return next_.empty(); });
  next_ = std::move(chunk);
  changed_.notify_all();
  return std::exchange(written_, {});
}

void WriteBehind::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !next_.empty() || last_; });
    if (next_.empty()) return;
    Chunk chunk = std::exchange(next_, {});
    changed_.notify_all();
    lock.unlock();
    // After an error the rest is taken, and goes nowhere.
    if (error_ == 0) error_ = Write(chunk);
    lock.lock();
    written_ = std::move(chunk);
  }
}

int WriteBehind::Write(const Chunk& chunk) const {
  for (size_t done = 0; done < chunk.size();) {
    const ssize_t n = write(fd_, chunk.data() + done, chunk.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    done += static_cast<size_t>(n);
  }
  return 0;
}

}  // namespace pyrometer::cli
