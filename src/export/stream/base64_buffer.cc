// SPDX-License-Identifier: Apache-2.0
#include "export/stream/base64_buffer.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace pyrometer::export_ {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// REQUIRES: 1 to 3 bytes
void AppendGroup(std::string& text, std::string_view bytes) {
  unsigned group = 0;
  for (size_t i = 0; i < 3; ++i)
    group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
  for (size_t i = 0; i < 4; ++i)
    text += i <= bytes.size() ? kDigits[group >> (18 - 6 * i) & 63] : '=';
}

}  // namespace

Base64Buffer::Base64Buffer(std::ostream& out) : out_(out) {
  setp(in_.data(), in_.data() + in_.size());
}

Base64Buffer::~Base64Buffer() { Encode(); }

Base64Buffer::int_type Base64Buffer::overflow(int_type c) {
  Encode();
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  return sputc(traits_type::to_char_type(c));
}

void Base64Buffer::Encode() {
  const std::string_view bytes(pbase(), static_cast<size_t>(pptr() - pbase()));
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (size_t i = 0; i < bytes.size(); i += 3) AppendGroup(text, bytes.substr(i, 3));
  out_ << text;
  setp(in_.data(), in_.data() + in_.size());
}

}  // namespace pyrometer::export_
