// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "format/capture_writer.h"
#include "symbolize/symbolize_frames.h"

namespace pyrometer::capture {

// A native frame that was written, to be named after the run.
struct NativeFrame {
  format::FrameId frame;
  format::ModuleId module;
  uint64_t address;
};

// Gives every code object, module, frame and stack of a run one id and writes
// each to the capture once. Bounded: when the stack table is full, new stacks
// become one special frame and are counted.
//
// Thread-safety: one owner.
class StackTable {
 public:
  static constexpr size_t kMaxStacks = 4'000'000;

  explicit StackTable(format::CaptureWriter& writer) : writer_(writer) {}

  format::CodeId Code(std::string_view filename, std::string_view qualname, uint32_t first_line);
  // `infrastructure`: the interpreter, libc and the like, whose own source
  // lines are of no interest.
  format::ModuleId Module(const std::string& path, const std::string& build_id,
                          bool infrastructure);
  format::FrameId PythonFrame(format::CodeId code, uint32_t line);
  format::FrameId NativeFrame(format::ModuleId module, uint64_t address);
  // Code that a process has generated at `pc`; a new frame for each call,
  // because other processes have other code there.
  format::FrameId JitFrame(uint64_t pc);
  format::FrameId SpecialFrame(std::string_view name);
  // Writes the name of a native frame; a later one replaces it.
  void Name(const symbolize::NamedFrame& named);
  format::StackId Stack(format::StackId caller, format::FrameId frame);
  // Counts a frame that the caller has found without Stack().
  void CountFrame(format::StackId caller, format::FrameId frame) {
    if (caller == format::kEmptyStack) ++stacks_walked_;
    if (frame.value < frame_codes_.size() && frame_codes_[frame.value] != 0)
      ++stack_counts_[frame_codes_[frame.value] - 1];
  }

  const std::vector<capture::NativeFrame>& native_frames() const { return native_frames_; }
  struct ModuleFacts {
    std::string path;
    std::string build_id;
    bool infrastructure;
  };
  const ModuleFacts& FactsOf(format::ModuleId id) const { return modules_[id.value]; }
  // The program has marked `code` with @profile (or, `inner`, code around it).
  void MarkProfiled(format::CodeId code, bool inner);
  // Notes that `code` was the innermost Python code of a sample.
  void CountLeaf(format::CodeId code) { ++leaf_counts_[code.value]; }
  // Files whose source a reader of the profile will want: the user's own, and
  // library files with at least 1 % of the samples or a function with @profile, and those
  // that native code was compiled from. Where nearly nothing is the user's own (a tool runs),
  // also those that are on 5 % of the stacks.
  std::vector<std::string> SourceFiles() const;
  uint64_t stacks_refused() const { return stacks_refused_; }

 private:
  struct PairHash {
    size_t operator()(const std::pair<uint64_t, uint64_t>& key) const {
      return (key.first * 0x9e3779b97f4a7c15u ^ key.second) * 0xd6e8feb86659fd93u >> 7;
    }
  };
  using PairKey = std::pair<uint64_t, uint64_t>;

  format::CaptureWriter& writer_;
  std::map<std::tuple<std::string, std::string, uint32_t>, format::CodeId, std::less<>> codes_;
  std::vector<uint64_t> leaf_counts_;   // by code
  std::vector<uint64_t> stack_counts_;  // by code: on how many stacks; recursion counts anew
  std::vector<uint32_t> frame_codes_;   // by frame: its code and 1, or 0
  uint64_t stacks_walked_ = 0;
  std::map<std::pair<std::string, std::string>, format::ModuleId> module_ids_;
  std::vector<ModuleFacts> modules_;
  std::unordered_map<PairKey, format::FrameId, PairHash> python_frames_;
  std::unordered_map<PairKey, format::FrameId, PairHash> native_ids_;
  std::map<std::string, format::FrameId, std::less<>> special_frames_;
  std::unordered_map<uint64_t, format::StackId> stacks_;
  std::vector<capture::NativeFrame> native_frames_;
  std::set<std::pair<uint32_t, bool>> profiled_;  // code, inner: what was written already
  std::set<std::string> compiled_sources_;        // .pyx files and the like
  uint64_t stacks_refused_ = 0;
};

}  // namespace pyrometer::capture
