// SPDX-License-Identifier: Apache-2.0
#include "export/deflate_buffer.h"

#include <algorithm>
#include <utility>

namespace pyrometer::export_ {
namespace {

constexpr int kWindowBits = 15;
constexpr int kGzipBits = 16;    // zlib's way to ask for that wrapping
constexpr int kMemoryLevel = 8;  // zlib's own default
// Large enough that handing over does not count.
constexpr size_t kChunk = size_t{1} << 18;

}  // namespace

DeflateBuffer::DeflateBuffer(std::ostream& out, Wrapping wrapping, int level)
    : out_(out), filling_(kChunk), packed_(kChunk) {
  const int bits = kWindowBits + (wrapping == Wrapping::kGzip ? kGzipBits : 0);
  if (deflateInit2(&stream_, level, Z_DEFLATED, bits, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    out_.setstate(std::ios::badbit);
  setp(filling_.data(), filling_.data() + filling_.size());
  thread_ = std::thread([this] { Run(); });
}

DeflateBuffer::~DeflateBuffer() {
  HandOver(true);
  thread_.join();
  deflateEnd(&stream_);
}

DeflateBuffer::int_type DeflateBuffer::overflow(int_type c) {
  HandOver(false);
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  return sputc(traits_type::to_char_type(c));
}

std::streamsize DeflateBuffer::xsputn(const char* bytes, std::streamsize count) {
  for (std::streamsize left = count; left > 0;) {
    if (pptr() == epptr()) HandOver(false);
    const std::streamsize part = std::min<std::streamsize>(left, epptr() - pptr());
    std::copy_n(bytes, part, pptr());
    pbump(static_cast<int>(part));
    bytes += part;
    left -= part;
  }
  return count;
}

void DeflateBuffer::HandOver(bool last) {
  filling_.resize(static_cast<size_t>(pptr() - pbase()));
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !has_full_; });
    full_.swap(filling_);
    has_full_ = true;
    is_last_ = last;
  }
  changed_.notify_one();
  filling_.resize(kChunk);
  setp(filling_.data(), filling_.data() + filling_.size());
}

void DeflateBuffer::Run() {
  Chunk chunk;
  for (bool last = false, good = true; !last;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return has_full_; });
      chunk.swap(full_);
      has_full_ = false;
      last = is_last_;
    }
    changed_.notify_one();
    // After an error the rest is taken, and goes nowhere.
    good = good && Deflate(chunk, last);
  }
}

bool DeflateBuffer::Deflate(const Chunk& chunk, bool last) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's idea of bytes
  stream_.next_in = reinterpret_cast<const Bytef*>(chunk.data());
  stream_.avail_in = static_cast<uInt>(chunk.size());
  do {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's idea of bytes
    stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_out = static_cast<uInt>(packed_.size());
    if (deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
      out_.setstate(std::ios::badbit);
    out_.write(packed_.data(), static_cast<std::streamsize>(packed_.size() - stream_.avail_out));
    if (!out_) return false;
  } while (stream_.avail_out == 0);
  return true;
}

}  // namespace pyrometer::export_
