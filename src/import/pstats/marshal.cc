// SPDX-License-Identifier: Apache-2.0
#include "import/pstats/marshal.h"

#include <bit>
#include <charconv>
#include <limits>
#include <utility>

namespace pyrometer::import_ {
namespace {

constexpr int kMaxNesting = 64;
constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

}  // namespace

class Marshal::Reader {
 public:
  Reader(std::string_view bytes, ProfileMaker& maker) : rest_(bytes), maker_(maker) {}

  base::Result<Marshal> Read() {
    const uint32_t root = ReadValue(0);
    if (root == kNone) return base::Error{trouble_ ? trouble_ : "there is no value in it"};
    if (maker_.full()) return base::Error{"it has too many values"};
    const Value copy = out_.values_[root];
    out_.values_.push_back(copy);
    return std::move(out_);
  }

 private:
  uint32_t Fail(const char* trouble) {
    if (trouble_ == nullptr) trouble_ = trouble;
    return kNone;
  }
  uint32_t CutOff() { return Fail("it is cut off"); }

  uint32_t New(Value value) {
    maker_.Charge(sizeof(Value));
    out_.values_.push_back(value);
    return static_cast<uint32_t>(out_.values_.size() - 1);
  }

  template <class Number>
  bool Take(Number& number) {
    if (rest_.size() < sizeof(Number)) return false;
    std::make_unsigned_t<Number> bits = 0;
    for (size_t i = 0; i < sizeof(Number); ++i)
      bits |= static_cast<std::make_unsigned_t<Number>>(
          static_cast<std::make_unsigned_t<Number>>(static_cast<uint8_t>(rest_[i])) << (8 * i));
    number = static_cast<Number>(bits);
    rest_.remove_prefix(sizeof(Number));
    return true;
  }
  bool TakeReal(double& real) {
    uint64_t bits = 0;
    if (!Take(bits)) return false;
    real = std::bit_cast<double>(bits);
    return true;
  }
  // A length, and so many bytes.
  template <class Length>
  bool TakeText(std::string_view& text) {
    Length length = 0;
    if (!Take(length) || length < 0 || static_cast<size_t>(length) > rest_.size()) return false;
    text = rest_.substr(0, static_cast<size_t>(length));
    rest_.remove_prefix(text.size());
    return true;
  }
  bool TakeRealText(double& real) {
    std::string_view text;
    if (!TakeText<uint8_t>(text)) return false;
    std::from_chars(text.data(), text.data() + text.size(), real);
    return true;
  }

  template <class Length>
  uint32_t ReadText(bool interned = false) {
    Value value{.kind = Kind::kText};
    if (!TakeText<Length>(value.text)) return CutOff();
    const uint32_t number = New(value);
    if (interned) interned_.push_back(number);
    return number;
  }

  // Digits of 15 bits, the lowest first; a negative number of them is a negative number.
  uint32_t ReadLong() {
    int32_t count = 0;
    if (!Take(count) || count == std::numeric_limits<int32_t>::min()) return CutOff();
    const bool negative = count < 0;
    uint64_t sum = 0;
    constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
    for (int32_t i = 0; i < (negative ? -count : count); ++i) {
      uint16_t digit = 0;
      if (!Take(digit)) return CutOff();
      if (digit == 0) continue;
      if (i >= 5 || digit > (kMax - sum) >> (15 * i))
        sum = kMax;
      else
        sum += uint64_t{digit} << (15 * i);
    }
    const auto integer = static_cast<int64_t>(sum);
    return New({.kind = Kind::kInteger, .integer = negative ? -integer : integer});
  }

  // `count` items; of a dict, as many as there are before the end mark.
  uint32_t ReadItems(Kind kind, uint32_t count, int nesting) {
    if (nesting >= kMaxNesting) return Fail("values are nested too deep");
    // Each takes a byte at least.
    if (kind != Kind::kDict && count > rest_.size()) return CutOff();
    const size_t first = open_.size();
    for (uint32_t i = 0; kind == Kind::kDict || i < count; ++i) {
      const uint32_t item = ReadValue(nesting + 1);
      if (item == kNone) {
        if (trouble_ != nullptr) return kNone;
        if (kind != Kind::kDict) return Fail("a value is missing");
        break;
      }
      open_.push_back(item);
      maker_.Charge(2 * sizeof(uint32_t));
      if (maker_.full()) return Fail("it has too many values");
    }
    if (kind == Kind::kDict && (open_.size() - first) % 2 != 0) return Fail("a value is missing");
    Value value{.kind = kind, .begin = static_cast<uint32_t>(out_.items_.size())};
    out_.items_.insert(out_.items_.end(), open_.begin() + static_cast<ptrdiff_t>(first),
                       open_.end());
    value.end = static_cast<uint32_t>(out_.items_.size());
    open_.resize(first);
    return New(value);
  }
  template <class Length>
  uint32_t ReadTuple(int nesting) {
    Length count = 0;
    if (!Take(count) || count < 0) return CutOff();
    return ReadItems(Kind::kTuple, static_cast<uint32_t>(count), nesting);
  }

  uint32_t ReadReference(const std::vector<uint32_t>& to) {
    int32_t number = 0;
    if (!Take(number)) return CutOff();
    if (number < 0 || static_cast<size_t>(number) >= to.size() || to[number] == kNone)
      return Fail("it refers to a value that is not there");
    return to[number];
  }

  // kNone without trouble: the mark that ends a dict.
  uint32_t ReadValue(int nesting) {
    constexpr uint8_t kReferred = 0x80;
    uint8_t code = 0;
    if (!Take(code)) return CutOff();
    const bool referred = (code & kReferred) != 0;
    // Its place comes before those of what is in it; a value that holds itself is refused.
    const size_t place = referred_.size();
    if (referred) {
      referred_.push_back(kNone);
      maker_.Charge(sizeof(uint32_t));
    }
    const uint32_t number = ReadCode(static_cast<char>(code & ~kReferred), nesting);
    if (referred) referred_[place] = number;
    return number;
  }

  uint32_t ReadCode(char code, int nesting) {
    Value value;
    switch (code) {
      case '0':
        return kNone;
      case 'N':  // None, StopIteration, Ellipsis
      case 'S':
      case '.':
        return New(value);
      case 'F':
      case 'T':
        return New({.kind = Kind::kInteger, .integer = code == 'T'});
      case 'i': {
        int32_t number = 0;
        return Take(number) ? New({.kind = Kind::kInteger, .integer = number}) : CutOff();
      }
      case 'I':
        value.kind = Kind::kInteger;
        return Take(value.integer) ? New(value) : CutOff();
      case 'l':
        return ReadLong();
      case 'g':
        value.kind = Kind::kReal;
        return TakeReal(value.real) ? New(value) : CutOff();
      case 'f':
        value.kind = Kind::kReal;
        return TakeRealText(value.real) ? New(value) : CutOff();
      case 'y':
        return TakeReal(value.real) && TakeReal(value.real) ? New({}) : CutOff();
      case 'x':
        return TakeRealText(value.real) && TakeRealText(value.real) ? New({}) : CutOff();
      case 's':  // bytes, and the kinds of text
      case 'u':
      case 'a':
      case 'A':
        return ReadText<int32_t>();
      case 't':
        return ReadText<int32_t>(true);
      case 'z':
      case 'Z':
        return ReadText<uint8_t>();
      case 'R':  // an interned string, in Python 2
        return ReadReference(interned_);
      case 'r':
        return ReadReference(referred_);
      case ')':
        return ReadTuple<uint8_t>(nesting);
      case '(':  // tuple, list, set, frozenset
      case '[':
      case '<':
      case '>':
        return ReadTuple<int32_t>(nesting);
      case '{':
        return ReadItems(Kind::kDict, 0, nesting);
      default:
        return Fail("it has a value of an unknown kind");
    }
  }

  std::string_view rest_;
  ProfileMaker& maker_;
  Marshal out_;
  const char* trouble_ = nullptr;
  std::vector<uint32_t> referred_, interned_;
  std::vector<uint32_t> open_;  // items of containers that are not complete
};

base::Result<Marshal> Marshal::Read(std::string_view bytes, ProfileMaker& maker) {
  return Reader(bytes, maker).Read();
}

}  // namespace pyrometer::import_
