// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/report/opened_packages.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

class FrameTable;

// Finds OpenedPackages, one after the other: first the package that has most of the hidden time,
// seen from outside; then, while one line of an opened package has nearly everything, the installed
// package that this line calls (`pytest --pyargs numpy`: pytest, _pytest, numpy).
//
// Time is CPU time and waits of the main thread. Nothing is opened unless hidden time is most
// of this *and* most of the CPU time: a server that waits in its framework is no such case.
//
// What it is made from must outlive it. Thread-safety: none; one owner.
class PackageOpener {
 public:
  PackageOpener(const profile::Profile& profile, const FrameTable& frames);

  // The package to open next. REQUIRES: the one before is in the scope of `frames` by now
  std::optional<std::string> Next();
  const OpenedPackages& opened() const { return opened_; }

 private:
  struct Time {
    uint64_t heat_ns = 0;
    uint64_t cpu_ns = 0;

    void Add(const Time& other) {
      heat_ns += other.heat_ns;
      cpu_ns += other.cpu_ns;
    }
  };

  void AddSamples();
  bool IsMost(const Time& time) const;
  // Stacks whose time the scope does not show in a way that helps.
  std::vector<bool> HiddenStacks();
  std::vector<bool> StacksOfOneLine() const;
  std::optional<std::string> PackageOf(const std::vector<bool>& stacks) const;
  std::optional<uint32_t> NextFile(format::StackId stack) const;
  bool IsEntryPoint(uint32_t file) const;

  const profile::Profile& profile_;
  const FrameTable& frames_;
  std::vector<Time> times_;  // by StackId
  Time total_;
  uint64_t samples_ = 0;
  OpenedPackages opened_;
};

}  // namespace pyrometer::analyze
