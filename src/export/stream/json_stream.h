// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace pyrometer::export_ {

// Writes JSON piece by piece: needs memory for one text, not for the whole.
//
//   JsonStream json(out);
//   json.Object();
//   json.Key("list").Array();
//   json.Value(1).Value("two");
//   json.End().End();
//
// Texts must be valid UTF-8 and can hold anything. Thread-safety: none; one owner.
// Errors show in the state of `out`.
class JsonStream {
 public:
  explicit JsonStream(std::ostream& out) : out_(out) {}

  JsonStream& Object() { return Begin('{', '}'); }
  JsonStream& Array() { return Begin('[', ']'); }
  // Ends the object or array that began last.
  JsonStream& End();
  JsonStream& Key(std::string_view key);

  JsonStream& Value(std::string_view text);
  JsonStream& Value(const char* text) { return Value(std::string_view(text)); }
  JsonStream& Value(const std::string& text) { return Value(std::string_view(text)); }
  JsonStream& Value(bool value) { return Raw(value ? "true" : "false"); }
  JsonStream& Value(std::integral auto number) { return Raw(std::to_string(number)); }
  JsonStream& Null() { return Raw("null"); }
  // `amount` divided by `unit`, with all digits that it has.
  JsonStream& Fraction(uint64_t amount, uint64_t unit);

  template <class T>
  JsonStream& Member(std::string_view key, const T& value) {
    return Key(key).Value(value);
  }

 private:
  JsonStream& Begin(char begin, char end);
  JsonStream& Raw(std::string_view text);
  void Separate();

  std::ostream& out_;
  std::vector<char> ends_;
  bool comma_ = false;  // something stands before what comes next
};

}  // namespace pyrometer::export_
