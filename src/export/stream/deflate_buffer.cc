// SPDX-License-Identifier: Apache-2.0
#include "export/stream/deflate_buffer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pyrometer::export_ {
namespace {

constexpr int kWindowBits = 15;
constexpr size_t kWindow = size_t{1} << kWindowBits;
constexpr int kMemoryLevel = 8;  // zlib's own default
// Large enough that handing over does not count.
constexpr size_t kChunk = size_t{1} << 18;
constexpr unsigned kMostThreads = 8;

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): zlib's idea of bytes
const Bytef* Bytes(const std::vector<char>& chunk) {
  return reinterpret_cast<const Bytef*>(chunk.data());
}
Bytef* Bytes(std::vector<char>& chunk) { return reinterpret_cast<Bytef*>(chunk.data()); }
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

void Put(std::ostream& out, uint64_t value, unsigned bytes, bool large_first) {
  for (unsigned i = 0; i < bytes; ++i)
    out.put(static_cast<char>(value >> 8 * (large_first ? bytes - 1 - i : i)));
}

}  // namespace

DeflateBuffer::DeflateBuffer(std::ostream& out, Wrapping wrapping, int level)
    : ChunkBuffer(kChunk),
      out_(out),
      wrapping_(wrapping),
      level_(level),
      own_(level),
      check_(wrapping == Wrapping::kGzip ? crc32(0, nullptr, 0) : adler32(0, nullptr, 0)) {
  WriteHead();
  const unsigned others = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads) - 1;
  for (unsigned i = 0; i < others; ++i) threads_.emplace_back([this] { Run(); });
}

DeflateBuffer::~DeflateBuffer() {
  Pass(TakeRest(), true);
  {
    std::unique_lock lock(mutex_);
    while (PackNext(lock, own_)) continue;
  }
  for (std::thread& thread : threads_) thread.join();
  WriteTail();
}

void DeflateBuffer::Pass(Chunk chunk, bool last) {
  Piece piece{.bytes = std::move(chunk), .before = before_, .last = last};
  const size_t kept = std::min(piece.bytes.size(), kWindow);
  before_.assign(piece.bytes.end() - static_cast<ptrdiff_t>(kept), piece.bytes.end());
  std::unique_lock lock(mutex_);
  pieces_.push_back(std::move(piece));
  ended_ = last;
  changed_.notify_all();
  while (pieces_.size() > 2 * threads_.size())
    if (!PackNext(lock, own_)) changed_.wait(lock);
}

void DeflateBuffer::Run() {
  Packer packer(level_);
  std::unique_lock lock(mutex_);
  while (true) {
    if (PackNext(lock, packer)) continue;
    if (ended_) return;
    changed_.wait(lock);
  }
}

bool DeflateBuffer::PackNext(std::unique_lock<std::mutex>& lock, Packer& packer) {
  const auto next = std::ranges::find(pieces_, Piece::State::kWaiting, &Piece::state);
  if (next == pieces_.end()) return false;
  Piece& piece = *next;  // stays where it is until it is packed
  piece.state = Piece::State::kTaken;
  lock.unlock();
  piece.failed = !packer.Pack(piece, wrapping_);
  lock.lock();
  piece.state = Piece::State::kPacked;
  if (!writing_) WriteReady(lock);
  return true;
}

DeflateBuffer::Packer::Packer(int level)
    : good_(deflateInit2(&stream_, level, Z_DEFLATED, -kWindowBits, kMemoryLevel,
                         Z_DEFAULT_STRATEGY) == Z_OK) {}

bool DeflateBuffer::Packer::Pack(Piece& piece, Wrapping wrapping) {
  const auto size = static_cast<uInt>(piece.bytes.size());
  piece.check = wrapping == Wrapping::kGzip
                    ? crc32(crc32(0, nullptr, 0), Bytes(piece.bytes), size)
                    : adler32(adler32(0, nullptr, 0), Bytes(piece.bytes), size);
  if (!good_ || deflateReset(&stream_) != Z_OK) return false;
  if (!piece.before.empty() && deflateSetDictionary(&stream_, Bytes(piece.before),
                                                    static_cast<uInt>(piece.before.size())) != Z_OK)
    return false;
  constexpr size_t kFlushMark = 16;  // what ends a piece that is not the last, and more
  piece.packed.resize(deflateBound(&stream_, size) + kFlushMark);
  stream_.next_in = Bytes(std::as_const(piece.bytes));
  stream_.avail_in = size;
  stream_.next_out = Bytes(piece.packed);
  stream_.avail_out = static_cast<uInt>(piece.packed.size());
  const int done = deflate(&stream_, piece.last ? Z_FINISH : Z_SYNC_FLUSH);
  if (done != (piece.last ? Z_STREAM_END : Z_OK) || stream_.avail_in != 0) return false;
  piece.packed.resize(piece.packed.size() - stream_.avail_out);
  return true;
}

void DeflateBuffer::WriteReady(std::unique_lock<std::mutex>& lock) {
  writing_ = true;
  while (!pieces_.empty() && pieces_.front().state == Piece::State::kPacked) {
    Piece piece = std::move(pieces_.front());
    pieces_.pop_front();
    lock.unlock();
    changed_.notify_all();
    if (piece.failed) out_.setstate(std::ios::badbit);
    // After an error the rest is taken, and goes nowhere.
    if (out_) out_.write(piece.packed.data(), static_cast<std::streamsize>(piece.packed.size()));
    const auto size = static_cast<z_off_t>(piece.bytes.size());
    check_ = wrapping_ == Wrapping::kGzip ? crc32_combine(check_, piece.check, size)
                                          : adler32_combine(check_, piece.check, size);
    size_ += piece.bytes.size();
    lock.lock();
  }
  writing_ = false;
}

void DeflateBuffer::WriteHead() {
  if (wrapping_ == Wrapping::kGzip) {
    constexpr char kFast = 4, kUnix = 3;
    const char effort = level_ == Z_BEST_SPEED ? kFast : 0;
    const std::array<char, 10> head = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, effort, kUnix};
    out_.write(head.data(), head.size());
  } else {
    // Window and method, then how hard it was tried, so that 31 divides both.
    constexpr uint64_t kFastest = 0x7801, kFaster = 0x785e, kUsual = 0x789c, kBest = 0x78da;
    Put(out_, level_ < 2 ? kFastest : level_ < 6 ? kFaster : level_ == 6 ? kUsual : kBest, 2, true);
  }
}

void DeflateBuffer::WriteTail() {
  if (!out_) return;
  Put(out_, check_, 4, wrapping_ == Wrapping::kZlib);
  if (wrapping_ == Wrapping::kGzip) Put(out_, size_, 4, false);
}

}  // namespace pyrometer::export_
