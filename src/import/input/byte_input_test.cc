// SPDX-License-Identifier: Apache-2.0
#include "import/input/byte_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace pyrometer::import_ {
namespace {

std::span<const uint8_t> Bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string Gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string Zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string Numbers() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(ByteInput, GivesWhatIsThere) {
  const std::string text = Numbers();
  for (const std::string& file : {text, Gzip(text), Zstd(text)}) {
    ByteInput input(Bytes(file));
    const auto all = input.ReadAll();
    ASSERT_TRUE(all.ok()) << all.error().message;
    EXPECT_EQ(all.value(), text);
  }
}

TEST(ByteInput, GzipMayHaveSeveralMembers) {
  const std::string file = Gzip("one ") + Gzip("two ") + Gzip("");
  ByteInput input(Bytes(file));
  EXPECT_EQ(input.ReadAll().value(), "one two ");
}

TEST(ByteInput, WhatIsCutOffGivesItsBeginningAndAnError) {
  const std::string text = Numbers();
  for (const std::string& whole : {Gzip(text), Zstd(text)}) {
    for (const size_t size : {whole.size() / 2, whole.size() - 1}) {
      const std::string file = whole.substr(0, size);
      ByteInput input(Bytes(file));
      std::string all;
      for (auto piece = input.Next(); !piece.empty(); piece = input.Next()) all += piece;
      EXPECT_TRUE(text.starts_with(all));
      EXPECT_GT(all.size(), 0u);
      EXPECT_FALSE(input.status().ok());
    }
  }
}

TEST(ByteInput, EveryCutAndFlipOfASmallFileEnds) {
  const std::string text = "main;work 12\nmain;idle 3\n";
  for (const std::string& whole : {Gzip(text), Zstd(text)}) {
    for (size_t i = 0; i < whole.size(); ++i) {
      std::string flipped = whole;
      flipped[i] = static_cast<char>(flipped[i] ^ 0x55);
      for (const std::string& file : {whole.substr(0, i), flipped}) {
        ByteInput input(Bytes(file));
        (void)input.ReadAll();
      }
    }
  }
}

TEST(ByteInput, RefusesBombs) {
  const std::string file = Zstd(std::string(size_t{200} << 20, ' '));
  ASSERT_LT(file.size(), size_t{100'000});
  ByteInput input(Bytes(file));
  size_t seen = 0;
  for (auto piece = input.Next(); !piece.empty(); piece = input.Next()) seen += piece.size();
  EXPECT_LE(seen, ByteInput::kAlwaysAllowed);
  ASSERT_FALSE(input.status().ok());
  EXPECT_THAT(input.status().error().message, ::testing::HasSubstr("times its size"));
}

TEST(ByteInput, ReadAllHasALimit) {
  const std::string text = Numbers();
  ByteInput input(Bytes(text));
  EXPECT_FALSE(input.ReadAll(1000).ok());
}

TEST(ByteInput, TellsHowFarItIs) {
  const std::string text = Numbers();
  size_t last = 0;
  ByteInput input(Bytes(text), [&](size_t done, size_t total) {
    EXPECT_GE(done, last);
    EXPECT_EQ(total, text.size());
    last = done;
  });
  (void)input.ReadAll();
  EXPECT_EQ(last, text.size());
}

}  // namespace
}  // namespace pyrometer::import_
