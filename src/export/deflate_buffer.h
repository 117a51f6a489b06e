// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <ostream>
#include <streambuf>

namespace pyrometer::export_ {

// What is written to this buffer goes to `out` compressed.
//
// Thread-safety: none; one owner. Errors show in the state of `out`.
class DeflateBuffer : public std::streambuf {
 public:
  enum class Wrapping { kZlib, kGzip };  // RFC 1950, RFC 1952

  DeflateBuffer(std::ostream& out, Wrapping wrapping, int level);
  // Writes what is left.
  ~DeflateBuffer() override;
  DeflateBuffer(const DeflateBuffer&) = delete;
  DeflateBuffer& operator=(const DeflateBuffer&) = delete;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  void Deflate(const char* bytes, size_t count, int flush);

  std::ostream& out_;
  z_stream stream_{};
  std::array<char, 1 << 16> in_;
  std::array<char, 1 << 16> packed_;
};

}  // namespace pyrometer::export_
