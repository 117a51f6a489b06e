// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <ostream>
#include <streambuf>

namespace pyrometer::export_ {

// What is written to this buffer goes to `out` in base64: text that can stand
// anywhere in a page.
//
// Thread-safety: none; one owner. Errors show in the state of `out`.
class Base64Buffer : public std::streambuf {
 public:
  explicit Base64Buffer(std::ostream& out);
  // Writes what is left.
  ~Base64Buffer() override;
  Base64Buffer(const Base64Buffer&) = delete;
  Base64Buffer& operator=(const Base64Buffer&) = delete;

 protected:
  int_type overflow(int_type c) override;

 private:
  void Encode();

  std::ostream& out_;
  std::array<char, 3 << 14> in_;  // whole groups of three bytes
};

}  // namespace pyrometer::export_
