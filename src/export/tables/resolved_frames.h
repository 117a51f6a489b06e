// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/code/scope.h"
#include "export/tables/text_table.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// The files, functions and frames of a capture: Python and native ones in the
// same tables. A frame there that stands for several functions, because
// some are inlined at its address, is as many frames here.
//
// `strings` must outlive it. Thread-safety: none; one owner.
class ResolvedFrames {
 public:
  enum class FileKind : uint8_t { kOwn = 0, kLibrary = 1, kNative = 2, kSpecial = 3 };
  struct File {
    uint32_t path = 0;
    FileKind kind = FileKind::kOwn;
    uint32_t source = 0;  // a text; see AddSources
  };
  struct Function {
    uint32_t file = 0;
    uint32_t name = 0;
    uint32_t line = 0;
  };
  struct Frame {
    uint32_t function = 0;
    uint32_t line = 0;
    uint32_t native_file = 0;  // a string
    uint32_t native_line = 0;
  };

  ResolvedFrames(const profile::Profile& profile, const analyze::FrameTable& table,
                 const analyze::Scope& scope, TextTable& strings);

  // Gives files the text of their source, as far as the profile has it.
  void AddSources(const profile::Profile& profile);

  const std::vector<File>& files() const { return files_; }
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<Frame>& frames() const { return frames_; }

  // What a frame of the capture is here, outermost first.
  std::span<const uint32_t> Of(format::FrameId frame) const {
    const uint32_t begin = begins_[frame.value];
    return std::span(lists_).subspan(begin, begins_[frame.value + 1] - begin);
  }
  // The function that each task runs, by TaskId.
  const std::vector<uint32_t>& coroutines() const { return coroutines_; }

 private:
  void AddPython(const analyze::FrameTable& table);
  void AddNatives(const analyze::FrameTable& table);
  void AddLists(const profile::Profile& profile, const analyze::FrameTable& table);
  void AddCoroutines(const profile::Profile& profile, const analyze::Scope& scope);
  uint32_t PythonFunction(const Function& function);
  uint32_t FileOf(uint32_t path, FileKind kind);

  TextTable& strings_;
  std::vector<File> files_;
  std::vector<Function> functions_;
  std::vector<Frame> frames_;
  std::vector<uint32_t> begins_;  // in lists_, by FrameId, and the end of the last
  std::vector<uint32_t> lists_;
  std::vector<uint32_t> coroutines_;
  uint32_t first_native_ = 0;                                        // in functions_
  std::map<std::tuple<uint32_t, FileKind>, uint32_t> file_numbers_;  // by path and kind
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> function_numbers_;  // of Python
};

}  // namespace pyrometer::export_
