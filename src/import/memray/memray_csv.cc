// SPDX-License-Identifier: Apache-2.0
#include "import/memray/memray_csv.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "import/core/whole_number.h"
#include "import/input/line_input.h"
#include "import/memray/csv_row.h"

namespace pyrometer::import_ {
namespace {

constexpr std::string_view kHeader = "allocator,num_allocations,size,tid,thread_name,stack_trace";
enum Column : size_t { kAllocator, kCount, kSize, kTid, kThreadName, kStack, kColumnCount };

// "name;file;line".
FrameText ParseFrame(std::string_view text) {
  const size_t last = text.rfind(';');
  const size_t middle =
      last == std::string_view::npos || last == 0 ? last : text.rfind(';', last - 1);
  if (last == std::string_view::npos || middle == std::string_view::npos || middle == last)
    return {.name = text};
  FrameText frame{.name = text.substr(0, middle),
                  .file = text.substr(middle + 1, last - middle - 1)};
  if (const auto line = WholeNumber<uint64_t>(text.substr(last + 1)); line && *line <= 0xffffffff)
    frame.line = static_cast<uint32_t>(*line);
  return frame;
}

// The innermost frame is the first.
format::StackId StackOf(std::string_view text, std::vector<format::FrameId>& frames,
                        ProfileMaker& maker) {
  frames.clear();
  while (!text.empty()) {
    const size_t end = std::min(text.find('|'), text.size());
    frames.push_back(maker.Frame(ParseFrame(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::reverse(frames);
  return maker.Stack(frames);
}

}  // namespace

bool RecognisesMemrayCsv(std::string_view head, bool) { return head.starts_with(kHeader); }

base::Status ReadMemrayCsv(ByteInput& input, const ReadOptions&, ProfileMaker& maker) {
  LineInput lines(input);
  const auto header = lines.Next();
  if (!header || !header->starts_with(kHeader))
    return base::Error{"does not begin with the names of memray's columns"};
  CsvRow row;
  std::vector<format::FrameId> frames;
  while (const auto line = lines.Next()) {
    if (maker.full()) return {};
    if (line->empty()) continue;
    const auto* fields = row.Split(*line);
    const bool whole = fields != nullptr && fields->size() == kColumnCount;
    const auto count = whole ? WholeNumber<uint64_t>((*fields)[kCount]) : std::nullopt;
    const auto size = whole ? WholeNumber<uint64_t>((*fields)[kSize]) : std::nullopt;
    const auto tid = whole ? WholeNumber<uint64_t>((*fields)[kTid]) : std::nullopt;
    if (!count || !size || !tid) {
      maker.AddLoss("lines that are no allocation");
      continue;
    }
    const format::ThreadId thread = maker.Thread(maker.Process(0), *tid);
    maker.NameThread(thread, (*fields)[kThreadName]);
    maker.AddMemory(thread, StackOf((*fields)[kStack], frames, maker),
                    {.at_peak = MemoryValue::Amount{*size, *count}});
  }
  if (!lines.status().ok()) maker.AddLoss(lines.status().error().message);
  maker.SetTool("memray");
  maker.AddNote("allocations are taken for those at the peak, unless memray was asked for others");
  return {};
}

}  // namespace pyrometer::import_
