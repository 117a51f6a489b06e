// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "import/core/profile_maker.h"
#include "import/input/byte_input.h"

namespace pyrometer::import_ {

// Reads JSON from front to back, value by value; the caller asks for what it expects.
// What it does not ask for is passed over without being built, and nothing but one text
// is ever in memory.
//
// Knows what real files get wrong: NaN and Infinity, control characters inside of texts,
// a comma too many, a byte order mark. Keeps no more of a text than asked for, and ends
// where values are nested absurdly deep. Does not recurse.
//
// After an error there is nothing more to read, so loops end by themselves.
//
// `bytes` must outlive it. Thread-safety: none; one owner.
class JsonReader {
 public:
  static constexpr size_t kMaxNesting = 1'000'000;
  static constexpr size_t kMaxText = size_t{64} << 10;
  static constexpr size_t kMaxNumber = 400;

  explicit JsonReader(ByteInput& bytes) : bytes_(bytes) {}

  enum class Kind : uint8_t { kNothing, kObject, kArray, kText, kNumber, kWord };
  // What comes next, as far as its first character says.
  Kind Next();

  // Each of these takes the next value if it is what it is asked for; else passes it over.
  // Texts are valid until the next call.
  std::optional<std::string_view> Text(size_t limit = kMaxText);
  std::optional<std::string_view> Number();
  bool True();  // false for everything else
  bool BeginObject();
  bool BeginArray();
  void Skip();

  // The key of the next member of the object that was begun last, or whether its array has
  // another element; after the last one the object or array is left. A value that was not
  // asked for in between is passed over.
  std::optional<std::string_view> NextKey();
  bool NextElement();

  template <class Function>
  void ForMembers(Function function) {
    if (!BeginObject()) return;
    while (const auto key = NextKey()) function(*key);
  }
  template <class Function>
  void ForElements(Function function) {
    if (!BeginArray()) return;
    while (NextElement()) function();
  }

  // What ended the values before their end, if anything.
  const base::Status& status() const { return status_; }
  // Whether that was the end of the file.
  bool cut_off() const { return cut_off_; }
  // How many objects and arrays are open.
  size_t nesting() const { return open_.size(); }
  // Texts of which only the beginning was given.
  uint64_t texts_cut() const { return texts_cut_; }

 private:
  static constexpr int kEnd = -1;

  bool Refill();
  int Peek() { return at_ != end_ || Refill() ? static_cast<unsigned char>(*at_) : kEnd; }
  int PeekPastSpace();
  bool Fail(std::string_view what);
  // Whether the value that comes is there to be taken; it is taken note of as taken.
  bool Take(Kind kind);
  bool Open(char bracket);
  bool Close(char bracket);
  // Whether there is another element or member before the closing bracket, which else is
  // taken.
  bool Another(char bracket, char closing);
  std::string_view RestOfText(size_t limit);
  void AppendEscape(size_t limit);
  uint32_t HexDigits();
  void Append(uint32_t code, size_t limit);
  void PassText();
  void PassToken();

  ByteInput& bytes_;
  const char* begin_ = nullptr;  // of the current piece
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  size_t before_ = 0;    // bytes in pieces before
  std::string open_;     // brackets that are not closed yet
  bool first_ = true;    // nothing of the innermost one was read yet
  bool pending_ = true;  // there is a value that nobody has taken
  std::string text_;     // of a text that is not in one piece as it is
  bool text_cut_ = false;
  uint64_t texts_cut_ = 0;
  base::Status status_;
  bool cut_off_ = false;
};

// What is wrong with the JSON that was read, if anything: an error where nothing of it could
// be used, else a loss.
base::Status FinishJson(const JsonReader& json, ProfileMaker& maker);

}  // namespace pyrometer::import_
