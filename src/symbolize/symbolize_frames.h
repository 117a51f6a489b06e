// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/records.h"
#include "symbolize/symbolizer.h"

namespace pyrometer::symbolize {

// A native frame that wants a name. The views must outlive the call.
struct FrameAddress {
  format::FrameId frame;
  std::string_view path;      // of its module
  std::string_view build_id;  // as recorded, raw bytes; may be empty
  uint64_t address = 0;       // as in the module's own file
  bool is_return_address = false;
  Detail detail = Detail::kLines;
};

struct NamedFrame {
  format::FrameId frame;
  std::vector<SymbolLine> lines;  // innermost first, never empty
};

struct SymbolizeResult {
  std::vector<NamedFrame> frames;     // those that have a name, sorted by frame
  std::vector<std::string> problems;  // one line for each module that could not be used
  uint64_t unnamed = 0;               // frames without a name, for whatever reason
};

// Told now and then, and once at the end: frames done, of how many.
using Progress = std::function<void(size_t done, size_t total)>;

// Names all `frames`, one module after the other. `symbolizer` keeps what it has
// opened for the next call. `progress` may be empty.
SymbolizeResult SymbolizeFrames(Symbolizer& symbolizer, std::span<const FrameAddress> frames,
                                const Progress& progress);

// The record of `named` for the capture file. `intern` gives the id of a
// string in the file's table (CaptureWriter::Intern).
format::SymbolInfo ToSymbolInfo(const NamedFrame& named,
                                const std::function<format::StringId(std::string_view)>& intern);

}  // namespace pyrometer::symbolize
