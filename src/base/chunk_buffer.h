// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <streambuf>
#include <utility>
#include <vector>

namespace pyrometer::base {

// A stream buffer that gives away what was written in chunks of one size, for classes
// that let another thread go on with them.
//
// Thread-safety: none; one owner.
class ChunkBuffer : public std::streambuf {
 public:
  using Chunk = std::vector<char>;

 protected:
  explicit ChunkBuffer(size_t chunk_bytes) : chunk_bytes_(chunk_bytes) { Begin({}); }

  // Gets each chunk that has become full; may give back one whose memory is used again.
  virtual Chunk Take(Chunk chunk) = 0;
  // What was written since, for the end: nothing may be written after it.
  Chunk TakeRest() {
    filling_.resize(static_cast<size_t>(pptr() - pbase()));
    setp(nullptr, nullptr);
    return std::move(filling_);
  }

  int_type overflow(int_type c) override {
    HandOver();
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    return sputc(traits_type::to_char_type(c));
  }

  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    for (std::streamsize left = count; left > 0;) {
      if (pptr() == epptr()) HandOver();
      const std::streamsize part = std::min<std::streamsize>(left, epptr() - pptr());
      std::copy_n(bytes, part, pptr());
      pbump(static_cast<int>(part));
      bytes += part;
      left -= part;
    }
    return count;
  }

 private:
  void HandOver() { Begin(Take(TakeRest())); }
  void Begin(Chunk memory) {
    filling_ = std::move(memory);
    filling_.resize(chunk_bytes_);
    setp(filling_.data(), filling_.data() + filling_.size());
  }

  const size_t chunk_bytes_;
  Chunk filling_;
};

}  // namespace pyrometer::base
