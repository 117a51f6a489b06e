// SPDX-License-Identifier: Apache-2.0
#include "import/austin/austin_run.h"

#include <charconv>

namespace pyrometer::import_ {
namespace {

constexpr uint64_t kMaxUs = uint64_t{1} << 50;

uint64_t Microseconds(std::string_view text) {
  uint64_t us = 0;
  std::from_chars(text.data(), text.data() + text.size(), us);
  return us < kMaxUs ? us * 1000 : 0;
}

}  // namespace

void AustinRun::Take(std::string_view key, std::string_view value) {
  if (key == "austin") {
    maker_.SetTool("austin " + std::string(value.substr(0, 40)));
  } else if (key == "interval") {
    maker_.SetPeriod(Microseconds(value));
  } else if (key == "duration") {
    maker_.SetDuration(Microseconds(value));
  } else if (key == "mode") {
    mode_ = value == "cpu"      ? Mode::kCpu
            : value == "memory" ? Mode::kMemory
            : value == "full"   ? Mode::kFull
                                : Mode::kWall;
  }
}

void AustinRun::Add(format::ThreadId thread, format::StackId stack, const Metrics& metrics) {
  if (metrics.time_us) {
    if (*metrics.time_us < 0 || static_cast<uint64_t>(*metrics.time_us) >= kMaxUs) {
      maker_.AddLoss("values that cannot be");
    } else {
      TimeValue value{.weight_ns = static_cast<uint64_t>(*metrics.time_us) * 1000};
      if (metrics.idle) value.activity = format::Activity::kOtherWait;
      maker_.AddTime(thread, stack, value);
    }
  }
  if (!metrics.memory_bytes) return;
  if (*metrics.memory_bytes > 0)
    maker_.AddMemory(thread, stack,
                     {.allocated = {{static_cast<uint64_t>(*metrics.memory_bytes), 0}}});
  shrank_ |= *metrics.memory_bytes < 0;
}

void AustinRun::Note() const {
  if (mode_ == Mode::kWall)
    maker_.AddNote("time on the processor is not told from waiting: all is taken for running");
  if (mode_ == Mode::kMemory || mode_ == Mode::kFull)
    maker_.AddNote("memory is what the process grew by when a stack was seen");
  if (shrank_) maker_.AddNote("what the process shrank by is left out");
}

}  // namespace pyrometer::import_
