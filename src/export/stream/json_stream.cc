// SPDX-License-Identifier: Apache-2.0
#include "export/stream/json_stream.h"

#include <fmt/format.h>

namespace pyrometer::export_ {
namespace {

// `<` as well: the text can then stand in a page.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      (quoted += '\\') += c;
    } else if (byte < 0x20 || byte == 0x7f || c == '<') {
      fmt::format_to(std::back_inserter(quoted), "\\u{:04x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted += '"';
}

}  // namespace

void JsonStream::Separate() {
  if (comma_) out_ << ',';
  comma_ = true;
}

JsonStream& JsonStream::Begin(char begin, char end) {
  Separate();
  out_ << begin;
  ends_.push_back(end);
  comma_ = false;
  return *this;
}

JsonStream& JsonStream::End() {
  out_ << ends_.back();
  ends_.pop_back();
  comma_ = true;
  if (ends_.empty()) out_ << '\n';
  return *this;
}

JsonStream& JsonStream::Key(std::string_view key) {
  Separate();
  out_ << Quoted(key) << ':';
  comma_ = false;
  return *this;
}

JsonStream& JsonStream::Raw(std::string_view text) {
  Separate();
  out_ << text;
  return *this;
}

JsonStream& JsonStream::Value(std::string_view text) { return Raw(Quoted(text)); }

JsonStream& JsonStream::Fraction(uint64_t amount, uint64_t unit) {
  std::string text = std::to_string(amount / unit);
  uint64_t rest = amount % unit;
  if (rest != 0) text += '.';
  // Units are powers of ten, so it ends.
  for (; rest != 0; rest %= unit) {
    rest *= 10;
    text += static_cast<char>('0' + rest / unit);
  }
  return Raw(text);
}

}  // namespace pyrometer::export_
