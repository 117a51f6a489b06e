// SPDX-License-Identifier: Apache-2.0
#include "export/page/page_match.h"

#include <map>
#include <tuple>

#include "analyze/code/frame_table.h"
#include "analyze/code/relative_path.h"
#include "analyze/code/source_lines.h"
#include "analyze/diff/code_match.h"

namespace pyrometer::export_ {
namespace {

using Frame = ResolvedFrames::Frame;

// Where a native frame was compiled from. Its line in the function is 0, and the text of that file
// is not known: only the same place is the same.
using NativePlace = std::tuple<uint32_t, std::string, uint32_t>;  // function, file, line

NativePlace PlaceOf(const Frame& frame, uint32_t function, const TextTable& strings) {
  return {function, strings[frame.native_file], frame.native_line};
}

}  // namespace

PageCode::PageCode(const profile::Profile& profile, const ResolvedFrames& frames,
                   const TextTable& strings)
    : frames_(frames), strings_(strings) {
  for (const ResolvedFrames::File& file : frames.files())
    sources_.push_back(file.source == 0 ? std::vector<std::string>()
                                        : analyze::SplitLines(strings[file.source]));
  for (size_t i = 0; i < sources_.size(); ++i)
    listing_.files.push_back(
        {analyze::RelativePath(strings[frames.files()[i].path], profile.run.working_directory),
         sources_[i]});
  for (const ResolvedFrames::Function& function : frames.functions())
    listing_.functions.push_back({function.file, strings[function.name], function.line});
  for (const Frame& frame : frames.frames()) listing_.lines.push_back({frame.function, frame.line});
}

PageMatch MatchPages(const PageCode& base, const PageCode& now) {
  const analyze::CodeMatch match = MatchCode(base.listing(), now.listing());
  PageMatch numbers;
  for (const auto& function : match.functions)
    numbers.functions.push_back(function ? *function + 1 : 0);
  std::map<NativePlace, uint32_t> natives;
  for (uint32_t i = 0; i < now.frames().frames().size(); ++i)
    if (const Frame& frame = now.frames().frames()[i]; frame.line == 0)
      natives.emplace(PlaceOf(frame, frame.function, now.strings()), i);
  for (size_t i = 0; i < match.lines.size(); ++i) {
    const Frame& frame = base.frames().frames()[i];
    uint32_t number = match.lines[i] ? *match.lines[i] + 1 : 0;
    if (const uint32_t function = numbers.functions[frame.function];
        frame.line == 0 && function != 0) {
      const auto it = natives.find(PlaceOf(frame, function - 1, base.strings()));
      number = it == natives.end() ? 0 : it->second + 1;
    }
    numbers.frames.push_back(number);
  }
  return numbers;
}

PageMatch MatchPages(const PageCode& base, const profile::Profile& now,
                     const analyze::Scope& scope) {
  TextTable strings;
  const analyze::FrameTable table(now, scope);
  ResolvedFrames frames(now, table, scope, strings);
  frames.AddSources(now);
  return MatchPages(base, PageCode(now, frames, strings));
}

}  // namespace pyrometer::export_
