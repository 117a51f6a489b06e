// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/code/scope.h"
#include "analyze/report/opened_packages.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// The frames of a profile resolved to what a report has rows for: files,
// lines, functions and native functions, each with a dense index. Equal text
// is one entry, however many ids the capture has for it.
//
// It also says whose code each file is. Unless a scope says otherwise, code that was made of
// text (generated_code.h) is the user's if somebody has typed it, or if it is mostly called by
// the user's code and is not named after an installed package; and packages are opened where
// the user's code alone would show next to nothing (package_opener.h).
//
// Owned by BuildReport; keeps no reference to the profile.
// Thread-safety: immutable after construction.
class FrameTable {
 public:
  struct File {
    std::string path;
    bool in_scope = false;
  };
  struct Line {
    uint32_t file = 0;
    uint32_t number = 0;
  };
  struct Function {
    uint32_t file = 0;
    std::string name;
    uint32_t first_line = 0;
    bool profiled = false;  // marked with @profile, or inside such a function
  };
  struct Native {
    std::string name;
    std::string module;
  };
  // A line together with the function that ran it.
  struct Spot {
    uint32_t line = 0;
    uint32_t function = 0;
  };

  FrameTable(const profile::Profile& profile, const Scope& scope);

  // The packages that were opened, if any.
  const OpenedPackages& opened() const { return opened_; }

  const std::vector<File>& files() const { return files_; }
  const std::vector<Line>& lines() const { return lines_; }
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<Native>& natives() const { return natives_; }
  const std::vector<Spot>& spots() const { return spots_; }

  bool IsPython(format::FrameId frame) const { return frames_[frame.value].python; }
  // REQUIRES: IsPython(frame)
  uint32_t SpotOf(format::FrameId frame) const { return frames_[frame.value].first; }
  // The function at a native or special frame's address and those inlined
  // there, innermost first. REQUIRES: !IsPython(frame)
  std::span<const uint32_t> NativesOf(format::FrameId frame) const;

  bool InScope(const Spot& spot) const { return files_[lines_[spot.line].file].in_scope; }
  // The innermost in-scope spot of a stack.
  std::optional<uint32_t> ScopedSpot(format::StackId stack) const {
    const uint32_t spot = scoped_spots_[stack.value];
    return spot == kNone ? std::nullopt : std::optional(spot);
  }

 private:
  struct Frame {
    bool python = false;
    uint32_t first = 0;  // spot, or begin in native_lists_
    uint32_t count = 0;  // entries in native_lists_
  };

  static constexpr uint32_t kNone = 0xffffffff;

  void AddFrames(const profile::Profile& profile, const Scope& scope);
  // Who calls the code of a file that was made of text: how many stacks of each.
  struct Callers {
    size_t own = 0, library = 0;
    bool is_program = false;  // nothing calls it
  };
  std::vector<Callers> FindCallers(const profile::Profile& profile) const;
  // Stacks that time or memory belongs to, with those of their callers.
  static std::vector<bool> UsedStacks(const profile::Profile& profile);
  void LeaveOutGenerated(const profile::Profile& profile);
  void OpenPackages(const profile::Profile& profile, const Scope& scope);
  void FindScopedSpots(const profile::Profile& profile);

  std::vector<File> files_;
  std::vector<Line> lines_;
  std::vector<Function> functions_;
  std::vector<Native> natives_;
  std::vector<Spot> spots_;
  std::vector<Frame> frames_;  // by FrameId
  std::vector<uint32_t> native_lists_;
  std::vector<uint32_t> scoped_spots_;  // by StackId
  OpenedPackages opened_;
};

}  // namespace pyrometer::analyze
