// SPDX-License-Identifier: Apache-2.0
#include "export/compressed_text.h"

#include <algorithm>
#include <limits>
#include <string>

namespace pyrometer::export_ {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Half as long as with level 6, and a twentieth larger.
constexpr int kLevel = 4;

// REQUIRES: 1 to 3 bytes
void AppendGroup(std::string& text, const unsigned char* bytes, size_t count) {
  unsigned group = 0;
  for (size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? bytes[i] : 0u);
  for (size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[group >> (18 - 6 * i) & 63] : '=';
}

}  // namespace

CompressedText::CompressedText(std::ostream& out) : out_(out) {
  if (deflateInit(&stream_, kLevel) != Z_OK) out_.setstate(std::ios::badbit);
  setp(in_.data(), in_.data() + in_.size());
}

CompressedText::~CompressedText() {
  Deflate(pbase(), static_cast<size_t>(pptr() - pbase()), Z_FINISH);
  Encode(true);
  deflateEnd(&stream_);
}

CompressedText::int_type CompressedText::overflow(int_type c) {
  Deflate(pbase(), static_cast<size_t>(pptr() - pbase()), Z_NO_FLUSH);
  setp(in_.data(), in_.data() + in_.size());
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  return sputc(traits_type::to_char_type(c));
}

std::streamsize CompressedText::xsputn(const char* bytes, std::streamsize count) {
  overflow(traits_type::eof());
  Deflate(bytes, static_cast<size_t>(count), Z_NO_FLUSH);
  return count;
}

void CompressedText::Deflate(const char* bytes, size_t count, int flush) {
  do {
    // zlib counts in 32 bits.
    const size_t part = std::min<size_t>(count, std::numeric_limits<uInt>::max());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's idea of bytes
    stream_.next_in = reinterpret_cast<const Bytef*>(bytes);
    stream_.avail_in = static_cast<uInt>(part);
    bytes += part;
    count -= part;
    const int mode = count == 0 ? flush : Z_NO_FLUSH;
    do {
      stream_.next_out = packed_.data() + waiting_;
      stream_.avail_out = static_cast<uInt>(packed_.size() - waiting_);
      if (deflate(&stream_, mode) == Z_STREAM_ERROR) return out_.setstate(std::ios::badbit);
      waiting_ = packed_.size() - stream_.avail_out;
      Encode(false);
    } while (stream_.avail_out == 0);
  } while (count != 0);
}

void CompressedText::Encode(bool end) {
  std::string text;
  const size_t whole = waiting_ - waiting_ % 3;
  text.reserve(whole / 3 * 4 + 4);
  for (size_t i = 0; i < whole; i += 3) AppendGroup(text, &packed_[i], 3);
  const size_t rest = waiting_ - whole;
  if (end && rest != 0) AppendGroup(text, &packed_[whole], rest);
  std::copy_n(&packed_[whole], rest, packed_.begin());
  waiting_ = end ? 0 : rest;
  out_ << text;
}

}  // namespace pyrometer::export_
