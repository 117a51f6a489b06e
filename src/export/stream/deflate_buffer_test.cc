// SPDX-License-Identifier: Apache-2.0
#include "export/stream/deflate_buffer.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>

namespace pyrometer::export_ {
namespace {

using Wrapping = DeflateBuffer::Wrapping;

std::string Packed(const std::string& text, Wrapping wrapping, size_t at_once = 1 << 20) {
  std::ostringstream out;
  {
    DeflateBuffer buffer(out, wrapping, 1);
    std::ostream stream(&buffer);
    for (size_t at = 0; at < text.size(); at += at_once) stream << text.substr(at, at_once);
  }
  return std::move(out).str();
}

// What zlib makes of it, which checks the wrapping, too; "?" where that is not sound or
// something follows.
std::string Unpacked(const std::string& packed, Wrapping wrapping) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, wrapping == Wrapping::kGzip ? 31 : 15), Z_OK);
  std::string text;
  std::string part(100'000, '\0');
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's idea of bytes
  stream.next_in = reinterpret_cast<const Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  int result = Z_OK;
  while (result == Z_OK) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's idea of bytes
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    result = inflate(&stream, Z_NO_FLUSH);
    text.append(part, 0, part.size() - stream.avail_out);
  }
  const bool sound = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  return sound ? text : "?";
}

// Words that come again, and some that do not.
std::string Text(size_t size) {
  std::mt19937 random(size);
  std::string text;
  while (text.size() < size) {
    text += "sample ";
    text += std::to_string(random() % 1000);
  }
  text.resize(size);
  return text;
}

constexpr size_t kChunk = size_t{1} << 18;

TEST(DeflateBuffer, ComesBackWhateverItsSize) {
  for (const Wrapping wrapping : {Wrapping::kZlib, Wrapping::kGzip})
    for (const size_t size :
         {size_t{0}, size_t{1}, kChunk - 1, kChunk, kChunk + 1, 20 * kChunk + 7})
      EXPECT_TRUE(Unpacked(Packed(Text(size), wrapping), wrapping) == Text(size)) << size;
}

TEST(DeflateBuffer, BytesThatCannotBePackedComeBack) {
  std::mt19937 random(1);
  std::string noise(5 * kChunk, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  EXPECT_TRUE(Unpacked(Packed(noise, Wrapping::kGzip), Wrapping::kGzip) == noise);
}

TEST(DeflateBuffer, IsTheSameEachTimeHoweverItIsWritten) {
  const std::string text = Text(10 * kChunk), packed = Packed(text, Wrapping::kGzip);
  for (const size_t at_once : {size_t{1}, size_t{1000}, 3 * kChunk})
    EXPECT_TRUE(Packed(text, Wrapping::kGzip, at_once) == packed) << at_once;
}

TEST(DeflateBuffer, PiecesKnowWhatCameBefore) {
  std::mt19937 random(1);
  std::string noise(20'000, '\0'), text;
  for (char& c : noise) c = static_cast<char>(random());
  while (text.size() < 10 * kChunk) text += noise;
  // Of ten chunks that do not know, each would have it once.
  EXPECT_LT(Packed(text, Wrapping::kZlib).size(), 4 * noise.size());
}

TEST(DeflateBuffer, ErrorsOfTheStreamShowInIt) {
  std::ostringstream out;
  {
    DeflateBuffer buffer(out, Wrapping::kGzip, 1);
    std::ostream stream(&buffer);
    out.setstate(std::ios::failbit);
    stream << Text(20 * kChunk);
  }
  EXPECT_FALSE(out);
}

}  // namespace
}  // namespace pyrometer::export_
