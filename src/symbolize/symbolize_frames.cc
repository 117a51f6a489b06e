// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbolize_frames.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace pyrometer::symbolize {
namespace {

// Reports at most this often; a call per frame would cost more than the work.
constexpr size_t kProgressStep = 256;

// "[vdso]", "[heap]", "//anon": places that are no files, and no problem.
bool IsFile(std::string_view path) { return path.size() > 1 && path[0] == '/' && path[1] != '/'; }

}  // namespace

SymbolizeResult SymbolizeFrames(Symbolizer& symbolizer, std::span<const FrameAddress> frames,
                                const Progress& progress) {
  std::vector<size_t> order(frames.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto key = [&](size_t i) {
      return std::tie(frames[i].path, frames[i].build_id, frames[i].address);
    };
    return key(a) < key(b);
  });

  SymbolizeResult result;
  std::string path;
  std::string last_problem;
  for (size_t done = 0; done < order.size(); ++done) {
    const FrameAddress& frame = frames[order[done]];
    if (progress && done % kProgressStep == 0) progress(done, order.size());
    if (frame.path != path) path = frame.path;
    if (!IsFile(frame.path)) {
      ++result.unnamed;
      continue;
    }
    base::Result<std::vector<SymbolLine>> lines = symbolizer.Lookup(
        path, frame.build_id, frame.address, frame.is_return_address, frame.detail);
    if (lines.ok() && !lines.value().empty()) {
      result.frames.push_back({frame.frame, std::move(lines).value()});
      continue;
    }
    ++result.unnamed;
    if (!lines.ok() && lines.error().message != last_problem) {
      last_problem = lines.error().message;
      result.problems.push_back(last_problem);
    }
  }
  if (progress) progress(order.size(), order.size());
  std::sort(result.frames.begin(), result.frames.end(),
            [](const NamedFrame& a, const NamedFrame& b) { return a.frame < b.frame; });
  return result;
}

format::SymbolInfo ToSymbolInfo(const NamedFrame& named,
                                const std::function<format::StringId(std::string_view)>& intern) {
  format::SymbolInfo info;
  info.frame = named.frame;
  for (const SymbolLine& line : named.lines) {
    info.lines.push_back({intern(line.function), intern(line.file), line.line});
  }
  return info;
}

}  // namespace pyrometer::symbolize
