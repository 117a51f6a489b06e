// SPDX-License-Identifier: Apache-2.0
#include "export/deflate_buffer.h"

#include <algorithm>
#include <limits>

namespace pyrometer::export_ {
namespace {

constexpr int kWindowBits = 15;
constexpr int kGzipBits = 16;    // zlib's way to ask for that wrapping
constexpr int kMemoryLevel = 8;  // zlib's own default

}  // namespace

DeflateBuffer::DeflateBuffer(std::ostream& out, Wrapping wrapping, int level) : out_(out) {
  const int bits = kWindowBits + (wrapping == Wrapping::kGzip ? kGzipBits : 0);
  if (deflateInit2(&stream_, level, Z_DEFLATED, bits, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    out_.setstate(std::ios::badbit);
  setp(in_.data(), in_.data() + in_.size());
}

DeflateBuffer::~DeflateBuffer() {
  Deflate(pbase(), static_cast<size_t>(pptr() - pbase()), Z_FINISH);
  deflateEnd(&stream_);
}

DeflateBuffer::int_type DeflateBuffer::overflow(int_type c) {
  Deflate(pbase(), static_cast<size_t>(pptr() - pbase()), Z_NO_FLUSH);
  setp(in_.data(), in_.data() + in_.size());
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  return sputc(traits_type::to_char_type(c));
}

std::streamsize DeflateBuffer::xsputn(const char* bytes, std::streamsize count) {
  // Small pieces wait: each call of deflate costs more than to copy them.
  if (count > epptr() - pptr()) overflow(traits_type::eof());
  if (count > epptr() - pptr()) {
    Deflate(bytes, static_cast<size_t>(count), Z_NO_FLUSH);
    return count;
  }
  std::copy_n(bytes, count, pptr());
  pbump(static_cast<int>(count));
  return count;
}

void DeflateBuffer::Deflate(const char* bytes, size_t count, int flush) {
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
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's idea of bytes
      stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
      stream_.avail_out = static_cast<uInt>(packed_.size());
      if (deflate(&stream_, mode) == Z_STREAM_ERROR) return out_.setstate(std::ios::badbit);
      out_.write(packed_.data(), static_cast<std::streamsize>(packed_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  } while (count != 0);
}

}  // namespace pyrometer::export_
