// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/clock.h"

namespace pyrometer::cli {
namespace {

constexpr uint64_t kFirstNs = 400'000'000, kAgainNs = 100'000'000;
constexpr size_t kWidth = 30;

}  // namespace

ProgressBar::ProgressBar(std::string_view what)
    : what_(what),
      terminal_(isatty(STDERR_FILENO) != 0),
      next_ns_(base::NowNs(CLOCK_MONOTONIC) + kFirstNs) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressBar::Show(size_t done, size_t total) {
  if (!terminal_ || total == 0 || base::NowNs(CLOCK_MONOTONIC) < next_ns_) return;
  next_ns_ = base::NowNs(CLOCK_MONOTONIC) + kAgainNs;
  drawn_ = true;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<size_t>(share * kWidth);
  std::fprintf(stderr, "\r%.*s [%s%s] %3.0f %%\x1b[K", static_cast<int>(what_.size()), what_.data(),
               std::string(filled, '#').c_str(), std::string(kWidth - filled, '.').c_str(),
               100 * share);
  std::fflush(stderr);
}

}  // namespace pyrometer::cli
