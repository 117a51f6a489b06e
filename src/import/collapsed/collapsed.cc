// SPDX-License-Identifier: Apache-2.0
#include "import/collapsed/collapsed.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "import/core/count.h"
#include "import/core/frame_label.h"
#include "import/core/owner_label.h"
#include "import/core/whole_number.h"
#include "import/input/line_input.h"

namespace pyrometer::import_ {
namespace {

struct Row {
  std::string_view stack;
  uint64_t count = 0;
};

std::optional<Row> Parse(std::string_view line) {
  while (line.ends_with(' ')) line.remove_suffix(1);
  const size_t space = line.rfind(' ');
  if (space == std::string_view::npos || space == 0) return {};
  const auto count = WholeNumber<uint64_t>(line.substr(space + 1));
  if (!count) return {};
  return Row{line.substr(0, space), *count};
}

bool IsComment(std::string_view line) { return line.empty() || line.starts_with('#'); }

// A stack begins with who ran it where the tool was told to say so.
class Owner {
 public:
  explicit Owner(ProfileMaker& maker) : maker_(maker) {}

  // Whether `label` is no frame but names the process or the thread.
  bool Take(std::string_view label) {
    uint64_t number = 0;
    if (const auto name = After(label, "process ", number)) {
      pid_ = number;
      maker_.NameProcess(maker_.Process(pid_), *name);
      return true;
    }
    if (const auto name = After(label, "thread ", number)) {
      tid_ = number;
      maker_.NameThread(thread(), *name);
      return true;
    }
    if (After(label, "tid:", number)) {
      tid_ = number;
      return true;
    }
    return false;
  }
  format::ThreadId thread() { return maker_.Thread(maker_.Process(pid_), tid_); }

 private:
  // `process 12:"python x.py"`, `thread (0x7f): MainThread`, `thread (12): name`: the number,
  // and what stands behind it.
  static std::optional<std::string_view> After(std::string_view label, std::string_view word,
                                               uint64_t& number) {
    if (!label.starts_with(word)) return {};
    label.remove_prefix(word.size());
    if (label.starts_with('(')) label.remove_prefix(1);
    const auto taken = TakeNumber(label, "");
    if (!taken) return {};
    number = *taken;
    if (label.starts_with(')')) label.remove_prefix(1);
    if (!label.empty() && !label.starts_with(':')) return {};
    while (label.starts_with(':') || label.starts_with(' ')) label.remove_prefix(1);
    if (label.size() > 1 && label.starts_with('"') && label.ends_with('"'))
      label = label.substr(1, label.size() - 2);
    return label;
  }

  ProfileMaker& maker_;
  uint64_t pid_ = 0;
  uint64_t tid_ = 0;
};

}  // namespace

bool RecognisesCollapsed(std::string_view head, bool whole) {
  if (head.find('\0') != std::string_view::npos) return false;
  size_t good = 0;
  while (!head.empty()) {
    const size_t end = head.find('\n');
    // What is cut off proves little, unless it is all that there is.
    if (end == std::string_view::npos && !whole)
      return good > 0 || std::ranges::count(head, ';') > 20;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (IsComment(line)) continue;
    if (!Parse(line)) return false;
    ++good;
  }
  return good > 0;
}

base::Status ReadCollapsed(ByteInput& input, const ReadOptions& options, ProfileMaker& maker) {
  LineInput lines(input);
  std::vector<format::FrameId> frames;
  bool understood = false;
  while (const auto line = lines.Next()) {
    if (IsComment(*line)) continue;
    const auto row = Parse(*line);
    if (!row) {
      maker.AddLoss("lines that are no stack with a count");
      continue;
    }
    understood = true;
    frames.clear();
    Owner owner(maker);
    for (std::string_view rest = row->stack; !rest.empty();) {
      const size_t end = rest.find(';');
      const std::string_view label = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      if (label.empty() || (frames.empty() && owner.Take(label))) continue;
      frames.push_back(maker.Frame(ParseFrameLabel(label)));
    }
    AddCount(maker, owner.thread(), maker.Stack(frames), row->count, options.count);
    if (maker.full()) return {};
  }
  if (!understood) return base::Error{"no line of it is a stack with a count"};
  if (!lines.status().ok()) maker.AddLoss(lines.status().error().message);
  NoteCount(maker, options.count);
  return {};
}

}  // namespace pyrometer::import_
