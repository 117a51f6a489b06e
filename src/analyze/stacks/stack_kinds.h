// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/code/frame_table.h"
#include "metric/metric.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// What each stack of a profile is about besides its lines: garbage collection,
// importing, work for another thread. Found by the frames that do it.
//
// Owned by BuildReport; keeps no reference to the profile.
// Thread-safety: immutable after construction.
class StackKinds {
 public:
  StackKinds(const profile::Profile& profile, const FrameTable& frames);

  // A collector of the interpreter runs, or what it calls: finalizers, callbacks.
  bool InGc(format::StackId stack) const { return kinds_[stack.value].gc; }
  // An import is going on: the import system runs for it, or the module that is imported.
  bool InImport(format::StackId stack) const { return kinds_[stack.value].import; }
  // A worker runs, for a line that waits for it.
  bool InWorker(format::StackId stack) const { return kinds_[stack.value].worker; }
  // The recorded metrics of time that a sample is a part of. `main_thread`: of the thread whose
  // waits the user sits through.
  metric::Mask PartsOf(format::StackId stack, format::Activity activity, bool main_thread) const {
    using enum metric::Metric;
    const bool on_cpu = format::IsOnCpu(activity);
    const bool main_wait = !on_cpu && main_thread;
    metric::Mask parts = metric::Bit(metric::Of(activity));
    if (main_wait) parts |= metric::Bit(kMainWait);
    if ((on_cpu || main_wait) && InImport(stack)) parts |= metric::Bit(kImport);
    if (on_cpu && InGc(stack)) parts |= metric::Bit(kGc);
    if (on_cpu && InWorker(stack)) parts |= metric::Bit(kWorker);
    return parts;
  }
  // The file (index in FrameTable::files) whose import began it all; empty while
  // the module is still being looked for.
  std::optional<uint32_t> ImportedFile(format::StackId stack) const {
    const uint32_t file = kinds_[stack.value].imported_file;
    return file == kNone ? std::nullopt : std::optional(file);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  struct Kind {
    bool gc = false;
    bool import = false;
    bool worker = false;
    uint32_t imported_file = kNone;
  };

  std::vector<Kind> kinds_;  // by StackId
};

}  // namespace pyrometer::analyze
