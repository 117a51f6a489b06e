// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "import/input/byte_input.h"

namespace pyrometer::import_ {

// The lines of a text, without their ends. A byte 0 ends them: what follows is no text, and
// chance would make lines of it that mean something.
//
// `bytes` must outlive it. Thread-safety: none; one owner.
class LineInput {
 public:
  // A stack of a million frames fits.
  static constexpr size_t kMaxLine = size_t{256} << 20;

  explicit LineInput(ByteInput& bytes) : bytes_(bytes) {}

  // The next line, valid until the next call; empty at the end, and after an error.
  std::optional<std::string_view> Next();
  // The number of the last line, from 1 on.
  size_t number() const { return number_; }
  // What ended the lines before their end, if anything.
  base::Status status() const;

 private:
  ByteInput& bytes_;
  std::string_view rest_;  // of the current piece
  std::string joined_;     // of a line that several pieces have parts of
  size_t number_ = 0;
  std::string wrong_;  // with the line after the last one; empty: nothing
};

}  // namespace pyrometer::import_
