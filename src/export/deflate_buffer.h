// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <condition_variable>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <thread>
#include <vector>

namespace pyrometer::export_ {

// What is written to this buffer goes to `out` compressed: by a thread of its own, since
// to compress takes as long as to make what is compressed.
//
// Thread-safety: none; one owner, who leaves `out` alone until this is gone. Errors show
// in the state of `out` then.
class DeflateBuffer : public std::streambuf {
 public:
  enum class Wrapping { kZlib, kGzip };  // RFC 1950, RFC 1952

  DeflateBuffer(std::ostream& out, Wrapping wrapping, int level);
  // Writes what is left, and waits for that.
  ~DeflateBuffer() override;
  DeflateBuffer(const DeflateBuffer&) = delete;
  DeflateBuffer& operator=(const DeflateBuffer&) = delete;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  using Chunk = std::vector<char>;

  // Gives what was written to the thread, as soon as that has room for it.
  void HandOver(bool last);
  // The thread.
  void Run();
  bool Deflate(const Chunk& chunk, bool last);

  std::ostream& out_;
  z_stream stream_{};
  Chunk filling_;
  std::vector<char> packed_;

  std::mutex mutex_;
  std::condition_variable changed_;
  Chunk full_;             // under mutex_
  bool has_full_ = false;  // under mutex_
  bool is_last_ = false;   // under mutex_
  std::thread thread_;
};

}  // namespace pyrometer::export_
