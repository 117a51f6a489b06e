// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyrometer::cli {

// "reading [######........]  43 %": no longer than a terminal of that many columns has room for.
// `share` is 0 to 1.
std::string ProgressLine(std::string_view what, double share, size_t columns);

// How far long work is, in one line of standard error: only on a terminal, and only
// once it is clear that it takes long. Gone when the work is done.
//
// Thread-safety: none; one owner.
class ProgressBar {
 public:
  // `what`: "reading", "writing"; must outlive it.
  explicit ProgressBar(std::string_view what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void Show(size_t done, size_t total);

 private:
  const std::string_view what_;
  const bool terminal_;
  uint64_t next_ns_;  // when to draw again
  bool drawn_ = false;
};

}  // namespace pyrometer::cli
