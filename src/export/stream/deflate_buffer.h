// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <ostream>
#include <thread>
#include <vector>

#include "base/chunk_buffer.h"

namespace pyrometer::export_ {

// What is written to this buffer goes to `out` compressed, by as many threads as there
// are CPUs: to compress takes longer than to make what is compressed. The owner's thread
// is one of them, when the others have enough to do. The chunks are compressed each by
// itself, with the end of the one before as a dictionary, and are one stream again, the
// same whatever the number of threads.
//
// Thread-safety: none; one owner, who leaves `out` alone until this is gone. Errors show
// in the state of `out` then.
class DeflateBuffer : public base::ChunkBuffer {
 public:
  enum class Wrapping { kZlib, kGzip };  // RFC 1950, RFC 1952

  DeflateBuffer(std::ostream& out, Wrapping wrapping, int level);
  // Writes what is left, and waits for that.
  ~DeflateBuffer() override;
  DeflateBuffer(const DeflateBuffer&) = delete;
  DeflateBuffer& operator=(const DeflateBuffer&) = delete;

 protected:
  Chunk Take(Chunk chunk) override {
    Pass(std::move(chunk), false);
    return {};
  }

 private:
  struct Piece {
    Chunk bytes;
    Chunk before;  // the end of what comes before it
    bool last = false;
    enum class State { kWaiting, kTaken, kPacked } state = State::kWaiting;
    Chunk packed{};
    bool failed = false;
    uLong check = 0;  // of the bytes, as the wrapping wants it
  };

  // What one thread packs with.
  class Packer {
   public:
    explicit Packer(int level);
    ~Packer() { deflateEnd(&stream_); }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;

    // False: there is no memory for it.
    bool Pack(Piece& piece, Wrapping wrapping);

   private:
    z_stream stream_{};
    bool good_;
  };

  // Gives a chunk to the threads.
  void Pass(Chunk chunk, bool last);
  // A thread.
  void Run();
  // Packs the first piece that nobody has taken; false: there is none.
  bool PackNext(std::unique_lock<std::mutex>& lock, Packer& packer);
  // Writes the pieces that are next and ready. One thread at a time does so.
  void WriteReady(std::unique_lock<std::mutex>& lock);
  void WriteHead();
  void WriteTail();

  std::ostream& out_;
  const Wrapping wrapping_;
  const int level_;
  Packer own_;
  Chunk before_;  // for the next chunk

  std::mutex mutex_;
  std::condition_variable changed_;
  // Under mutex_, in order; what is in one that is taken belongs to its thread.
  std::deque<Piece> pieces_;
  bool writing_ = false;  // under mutex_
  bool ended_ = false;    // under mutex_: no more pieces will come
  uLong check_;           // of whoever writes
  uint64_t size_ = 0;     // likewise
  std::vector<std::thread> threads_;
};

}  // namespace pyrometer::export_
