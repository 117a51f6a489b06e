// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/clock.h"

namespace pyrometer::cli {
namespace {

constexpr uint64_t kFirstNs = 400'000'000, kAgainNs = 100'000'000;
constexpr size_t kMostWidth = 30;
constexpr size_t kAround = 11;  // spaces, brackets, percent, and a column that stays empty

size_t TerminalColumns() {
  winsize size{};
  constexpr size_t kUsual = 80;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ? kUsual : size.ws_col;
}

}  // namespace

std::string ProgressLine(std::string_view what, double share, size_t columns) {
  const int percent = static_cast<int>(100 * share + 0.5);
  char number[16];
  std::snprintf(number, sizeof number, "%3d %%", percent);
  const size_t taken = what.size() + kAround;
  if (columns <= taken) return std::string(number).substr(0, columns);
  const size_t width = std::min(kMostWidth, columns - taken);
  const auto filled = static_cast<size_t>(share * static_cast<double>(width));
  return std::string(what) + " [" + std::string(filled, '#') + std::string(width - filled, '.') +
         "] " + number;
}

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
  std::fprintf(stderr, "\r%s\x1b[K", ProgressLine(what_, share, TerminalColumns()).c_str());
  std::fflush(stderr);
}

}  // namespace pyrometer::cli
