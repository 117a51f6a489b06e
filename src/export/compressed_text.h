// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <ostream>
#include <streambuf>

namespace pyrometer::export_ {

// Turns bytes into text that can stand anywhere in a page: what is written to this
// buffer goes to `out` compressed by zlib (RFC 1950) and in base64.
//
// Thread-safety: none; one owner. Errors show in the state of `out`.
class CompressedText : public std::streambuf {
 public:
  explicit CompressedText(std::ostream& out);
  // Writes what is left.
  ~CompressedText() override;
  CompressedText(const CompressedText&) = delete;
  CompressedText& operator=(const CompressedText&) = delete;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  void Deflate(const char* bytes, size_t count, int flush);
  // Whole groups of three bytes become text; the rest waits, unless it is the end.
  void Encode(bool end);

  std::ostream& out_;
  z_stream stream_{};
  std::array<char, 1 << 14> in_;
  std::array<unsigned char, 3 << 14> packed_;
  size_t waiting_ = 0;  // bytes at the beginning of packed_
};

}  // namespace pyrometer::export_
