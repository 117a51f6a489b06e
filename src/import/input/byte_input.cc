// SPDX-License-Identifier: Apache-2.0
#include "import/input/byte_input.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>

namespace pyrometer::import_ {
namespace {

// Large enough that what is done once for each piece does not count.
constexpr size_t kPiece = size_t{1} << 18;

bool BeginsWith(std::span<const uint8_t> file, std::initializer_list<uint8_t> magic) {
  return file.size() >= magic.size() && std::equal(magic.begin(), magic.end(), file.begin());
}

}  // namespace

class ByteInput::Unpacker {
 public:
  virtual ~Unpacker() = default;
  struct Step {
    size_t taken = 0;
    size_t made = 0;
    bool good = true;
    bool at_end = false;  // what was packed is complete
  };
  virtual Step Unpack(std::span<const uint8_t> in, std::string& out) = 0;
};

class ByteInput::GzipUnpacker : public Unpacker {
 public:
  GzipUnpacker() {
    constexpr int kGzipOnly = 16;
    good_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  ~GzipUnpacker() override { inflateEnd(&stream_); }

  Step Unpack(std::span<const uint8_t> in, std::string& out) override {
    if (!good_) return {.good = false};
    // A file may hold several, one after the other.
    if (at_end_ && inflateReset(&stream_) != Z_OK) return {.good = false};
    stream_.next_in = in.data();
    stream_.avail_in = static_cast<uInt>(std::min<size_t>(in.size(), kPiece));
    const size_t offered = stream_.avail_in;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    at_end_ = result == Z_STREAM_END;
    return {offered - stream_.avail_in, out.size() - stream_.avail_out,
            result == Z_OK || at_end_ || result == Z_BUF_ERROR, at_end_};
  }

 private:
  z_stream stream_{};
  bool good_ = false;
  bool at_end_ = false;
};

class ByteInput::ZstdUnpacker : public Unpacker {
 public:
  ZstdUnpacker() : stream_(ZSTD_createDStream()) {}
  ~ZstdUnpacker() override { ZSTD_freeDStream(stream_); }

  Step Unpack(std::span<const uint8_t> in, std::string& out) override {
    if (stream_ == nullptr) return {.good = false};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const size_t result = ZSTD_decompressStream(stream_, &to, &from);
    return {from.pos, to.pos, ZSTD_isError(result) == 0, result == 0};
  }

 private:
  ZSTD_DStream* const stream_;
};

ByteInput::ByteInput(std::span<const uint8_t> file, Progress progress)
    : file_(file), progress_(std::move(progress)) {
  if (BeginsWith(file, {0x1f, 0x8b}))
    unpacker_ = std::make_unique<GzipUnpacker>();
  else if (BeginsWith(file, {0x28, 0xb5, 0x2f, 0xfd}))
    unpacker_ = std::make_unique<ZstdUnpacker>();
}

ByteInput::~ByteInput() = default;

std::string_view ByteInput::Next() {
  if (!status_.ok()) return {};
  if (progress_) progress_(done_, file_.size());
  if (unpacker_ == nullptr) {
    const std::span<const uint8_t> piece =
        file_.subspan(done_, std::min(kPiece, file_.size() - done_));
    done_ += piece.size();
    return {reinterpret_cast<const char*>(piece.data()), piece.size()};
  }
  buffer_.resize(kPiece);
  while (done_ < file_.size() || !complete_) {
    const Unpacker::Step step = unpacker_->Unpack(file_.subspan(done_), buffer_);
    done_ += step.taken;
    unpacked_ += step.made;
    complete_ = step.at_end;
    if (!step.good) {
      status_ = base::Error{"the file is packed, and damaged"};
    } else if (unpacked_ > kAlwaysAllowed && unpacked_ / kMaxRatio > file_.size()) {
      status_ = base::Error{"unpacks to more than " + std::to_string(kMaxRatio) +
                            " times its size; refused"};
      return {};
    }
    if (step.made > 0) return {buffer_.data(), step.made};
    if (!step.good) return {};
    if (step.taken == 0 && !complete_) {
      status_ = base::Error{"the file is packed, and cut off"};
      return {};
    }
  }
  return {};
}

base::Result<std::string> ByteInput::ReadAll(size_t limit) {
  std::string all;
  for (std::string_view piece = Next(); !piece.empty(); piece = Next()) {
    if (piece.size() > limit - all.size())
      return base::Error{"has more than " + std::to_string(limit >> 20) + " MiB; refused"};
    all += piece;
  }
  if (!status_.ok()) return status_.error();
  return all;
}

}  // namespace pyrometer::import_
