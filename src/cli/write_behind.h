// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/chunk_buffer.h"

namespace pyrometer::cli {

// What is written to this buffer goes to a file by a thread of its own: of hundreds of
// megabytes, the kernel takes as long to take them as we to make them.
//
// Thread-safety: none; one owner.
class WriteBehind : public base::ChunkBuffer {
 public:
  // `fd` must stay open until this is gone.
  explicit WriteBehind(int fd);
  ~WriteBehind() override;
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  // Writes what is left, and waits for that; nothing may be written after it. 0, or errno
  // of the first write that failed.
  int Finish();

 protected:
  Chunk Take(Chunk chunk) override;

 private:
  void Run();
  // 0, or errno.
  int Write(const Chunk& chunk) const;

  const int fd_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Chunk next_;         // under mutex_; empty: none
  Chunk written_;      // under mutex_: memory to use again
  bool last_ = false;  // under mutex_: none comes after `next_`
  int error_ = 0;      // of the thread, until it has ended
  std::thread thread_;
};

}  // namespace pyrometer::cli
