// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "import/core/profile_maker.h"
#include "import/json/json_reader.h"

namespace pyrometer::import_ {

// What V8's profiles call a frame: a function, or something that stands for all of them.
struct V8Frame {
  std::string name;
  std::string file;   // decoded, where it was an address of one
  uint32_t line = 0;  // where the function begins; 0: not known

  // Reads a callFrame.
  void Read(JsonReader& json);

  bool is_root() const { return file.empty() && name == "(root)"; }
  bool is_idle() const { return file.empty() && name == "(idle)"; }
  FrameText Text() const;
  // The thread that it stands for, in exports of pyrometer: "name (pid/tid)".
  std::optional<format::ThreadId> Thread(ProfileMaker& maker) const;
};

}  // namespace pyrometer::import_
