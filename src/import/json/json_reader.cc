// SPDX-License-Identifier: Apache-2.0
#include "import/json/json_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pyrometer::import_ {
namespace {

bool IsSpace(int c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Of numbers, true, false and null, and of NaN and Infinity.
bool IsOfToken(int c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '+' || c == '.';
}

// The first quote or backslash, eight characters at a time.
const char* FindQuoteOrBackslash(const char* at, const char* end) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;
  static_assert(std::endian::native == std::endian::little);
  const auto zero_bytes = [](uint64_t word) { return (word - kOnes) & ~word & kHighBits; };
  for (; end - at >= 8; at += 8) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    const uint64_t found = zero_bytes(word ^ kOnes * '"') | zero_bytes(word ^ kOnes * '\\');
    if (found != 0) return at + std::countr_zero(found) / 8;
  }
  while (at != end && *at != '"' && *at != '\\') ++at;
  return at;
}

void AppendUtf8(uint32_t code, std::string& text) {
  const auto tail = [](uint32_t bits) { return static_cast<char>(0x80 | (bits & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    text += tail(code);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    text += tail(code >> 6);
    text += tail(code);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    text += tail(code >> 12);
    text += tail(code >> 6);
    text += tail(code);
  }
}

// Without a character that a cut has left half of.
std::string_view CutTo(std::string_view text, size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;
  return text.substr(0, limit);
}

}  // namespace

bool JsonReader::Refill() {
  if (!status_.ok()) return false;
  const bool at_start = begin_ == nullptr;
  before_ += static_cast<size_t>(end_ - begin_);
  std::string_view piece = bytes_.Next();
  begin_ = at_ = piece.data();
  end_ = begin_ + piece.size();
  if (at_start && piece.starts_with("\xef\xbb\xbf")) at_ += 3;
  return at_ != end_;
}

int JsonReader::PeekPastSpace() {
  int c = Peek();
  while (IsSpace(c)) {
    ++at_;
    c = Peek();
  }
  return c;
}

bool JsonReader::Fail(std::string_view what) {
  if (!status_.ok()) return false;
  const size_t place = before_ + static_cast<size_t>(at_ - begin_);
  cut_off_ = at_ == end_ && bytes_.status().ok();
  if (!bytes_.status().ok())
    status_ = bytes_.status();
  else if (cut_off_)
    status_ = base::Error{"cut off after " + std::to_string(place) + " bytes"};
  else
    status_ = base::Error{std::string(what) + " at byte " + std::to_string(place)};
  end_ = at_;
  return false;
}

JsonReader::Kind JsonReader::Next() {
  if (!pending_ || !status_.ok()) return Kind::kNothing;
  const int c = PeekPastSpace();
  switch (c) {
    case '{':
      return Kind::kObject;
    case '[':
      return Kind::kArray;
    case '"':
      return Kind::kText;
    case 't':
    case 'f':
    case 'n':
      return Kind::kWord;
    default:
      if (IsOfToken(c)) return Kind::kNumber;
      Fail("not JSON");
      return Kind::kNothing;
  }
}

bool JsonReader::Take(Kind kind) {
  if (Next() != kind) {
    Skip();
    return false;
  }
  pending_ = false;
  return true;
}

bool JsonReader::Open(char bracket) {
  if (open_.size() >= kMaxNesting) return Fail("nested too deep");
  ++at_;
  open_ += bracket;
  first_ = true;
  return true;
}

bool JsonReader::Close(char bracket) {
  if (open_.empty() || open_.back() != bracket) return Fail("not JSON");
  ++at_;
  open_.pop_back();
  first_ = false;
  return true;
}

bool JsonReader::BeginObject() { return Take(Kind::kObject) && Open('{'); }
bool JsonReader::BeginArray() { return Take(Kind::kArray) && Open('['); }

bool JsonReader::Another(char bracket, char closing) {
  if (pending_) Skip();
  if (!status_.ok()) return false;
  int c = PeekPastSpace();
  if (!first_ && c == ',') {
    ++at_;
    c = PeekPastSpace();
  } else if (!first_ && c != closing) {
    return Fail("not JSON");
  }
  if (c == closing) {
    Close(bracket);
    return false;
  }
  if (c == kEnd) return Fail("");
  first_ = false;
  return true;
}

bool JsonReader::NextElement() {
  pending_ = Another('[', ']');
  return pending_;
}

std::optional<std::string_view> JsonReader::NextKey() {
  if (!Another('{', '}')) {
    pending_ = false;
    return {};
  }
  if (Peek() != '"') {
    Fail("not JSON");
    return {};
  }
  ++at_;
  std::string_view key = RestOfText(kMaxText);
  if (at_ == end_ || *at_ != ':') {
    // The colon can be in another piece, where the key is gone.
    if (key.data() != text_.data()) text_ = key;
    key = std::string_view(text_).substr(0, key.size());
    if (PeekPastSpace() != ':') {
      Fail("not JSON");
      return {};
    }
  }
  ++at_;
  pending_ = true;
  return key;
}

void JsonReader::Append(uint32_t code, size_t limit) {
  if (text_.size() <= limit)
    AppendUtf8(code, text_);
  else
    text_cut_ = true;
}

uint32_t JsonReader::HexDigits() {
  uint32_t code = 0;
  for (int i = 0; i < 4; ++i) {
    const int c = Peek();
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) {
      Fail("not JSON");
      return 0;
    }
    code = code << 4 | static_cast<uint32_t>(digit);
    ++at_;
  }
  return code;
}

void JsonReader::AppendEscape(size_t limit) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const int c = Peek();
  if (c == kEnd) {
    Fail("");
    return;
  }
  if (const size_t place = kLetters.find(static_cast<char>(c)); place != std::string_view::npos) {
    ++at_;
    Append(static_cast<unsigned char>(kMeanings[place]), limit);
    return;
  }
  if (c != 'u') {
    Fail("not JSON");
    return;
  }
  ++at_;
  constexpr uint32_t kNoCharacter = 0xfffd;
  const auto is_high = [](uint32_t code) { return code >= 0xd800 && code < 0xdc00; };
  const auto is_low = [](uint32_t code) { return code >= 0xdc00 && code < 0xe000; };
  uint32_t code = HexDigits();
  // A second half without a first, or the other way round, is no character.
  while (is_high(code) && Peek() == '\\') {
    ++at_;
    if (Peek() != 'u') {
      Append(kNoCharacter, limit);
      AppendEscape(limit);
      return;
    }
    ++at_;
    const uint32_t next = HexDigits();
    if (is_low(next)) {
      code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
    } else {
      Append(kNoCharacter, limit);
      code = next;
    }
  }
  Append(is_high(code) || is_low(code) ? kNoCharacter : code, limit);
}

std::string_view JsonReader::RestOfText(size_t limit) {
  const char* const stop = FindQuoteOrBackslash(at_, end_);
  if (stop != end_ && *stop == '"') {
    const std::string_view text(at_, static_cast<size_t>(stop - at_));
    at_ = stop + 1;
    if (text.size() > limit) ++texts_cut_;
    return CutTo(text, limit);
  }
  text_.clear();
  text_cut_ = false;
  for (;;) {
    if (Peek() == kEnd) {
      Fail("");
      break;
    }
    const char* const next = FindQuoteOrBackslash(at_, end_);
    const auto length = static_cast<size_t>(next - at_);
    if (text_.size() <= limit)
      text_.append(at_, std::min(length, limit + 1 - text_.size()));
    else
      text_cut_ |= length > 0;
    at_ = next;
    if (at_ == end_) continue;
    const bool quote = *at_++ == '"';
    if (quote) break;
    AppendEscape(limit);
  }
  if (text_cut_ || text_.size() > limit) ++texts_cut_;
  return CutTo(text_, limit);
}

std::optional<std::string_view> JsonReader::Text(size_t limit) {
  if (!Take(Kind::kText)) return {};
  ++at_;
  const std::string_view text = RestOfText(limit);
  if (!status_.ok()) return {};
  return text;
}

std::optional<std::string_view> JsonReader::Number() {
  if (!Take(Kind::kNumber)) return {};
  const char* stop = at_;
  while (stop != end_ && IsOfToken(static_cast<unsigned char>(*stop))) ++stop;
  if (stop != end_ && static_cast<size_t>(stop - at_) <= kMaxNumber) {
    const std::string_view number(at_, static_cast<size_t>(stop - at_));
    at_ = stop;
    return number;
  }
  text_.clear();
  while (IsOfToken(Peek())) {
    if (text_.size() == kMaxNumber) {
      Fail("a number with too many digits");
      return {};
    }
    text_ += *at_++;
  }
  return text_;
}

bool JsonReader::True() {
  const bool is_true = Next() == Kind::kWord && Peek() == 't';
  Skip();
  return is_true;
}

void JsonReader::PassText() {
  for (;;) {
    if (Peek() == kEnd) {
      Fail("");
      return;
    }
    at_ = FindQuoteOrBackslash(at_, end_);
    if (at_ == end_) continue;
    if (*at_++ == '"') return;
    if (Peek() != kEnd) ++at_;
  }
}

void JsonReader::PassToken() {
  while (IsOfToken(Peek())) ++at_;
}

void JsonReader::Skip() {
  if (!pending_ || !status_.ok()) return;
  pending_ = false;
  const size_t outside = open_.size();
  do {
    switch (const int c = PeekPastSpace()) {
      case '"':
        ++at_;
        PassText();
        break;
      case '{':
      case '[':
        Open(static_cast<char>(c));
        break;
      case '}':
      case ']':
        if (open_.size() == outside)
          Fail("not JSON");
        else
          Close(c == '}' ? '{' : '[');
        break;
      case ',':
      case ':':
        if (open_.size() == outside)
          Fail("not JSON");
        else
          ++at_;
        break;
      default:
        if (IsOfToken(c))
          PassToken();
        else
          Fail("not JSON");
        break;
    }
  } while (open_.size() > outside && status_.ok());
  first_ = false;
}

base::Status FinishJson(const JsonReader& json, ProfileMaker& maker) {
  if (json.texts_cut() > 0)
    maker.AddLoss("texts cut at " + std::to_string(JsonReader::kMaxText >> 10) + " KiB",
                  json.texts_cut());
  if (json.status().ok()) return {};
  if (maker.empty()) return json.status();
  maker.AddLoss(json.status().error().message);
  return {};
}

}  // namespace pyrometer::import_
