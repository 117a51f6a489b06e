// SPDX-License-Identifier: Apache-2.0
#include "import/austin/austin.h"

#include <array>
#include <charconv>
#include <vector>

#include "import/austin/austin_run.h"
#include "import/core/frame_label.h"
#include "import/input/line_input.h"

namespace pyrometer::import_ {
namespace {

// Takes a number off the front of `text`.
template <class Number>
bool TakeNumber(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

struct Row {
  uint64_t pid = 0, tid = 0;
  std::string_view frames{};         // each with ';' before it
  std::array<int64_t, 3> numbers{};  // time, idle, memory; or one of time and memory
  size_t count = 0;
};

// "P12;T0:13;file:name:line;file:name:line 100", or "... 100,0,4096".
bool Parse(std::string_view line, Row& row) {
  const size_t space = line.rfind(' ');
  if (space == std::string_view::npos || !line.starts_with('P')) return false;
  std::string_view numbers = line.substr(space + 1);
  line = line.substr(1, space - 1);
  if (!TakeNumber(line, row.pid) || !line.starts_with(";T")) return false;
  line.remove_prefix(2);
  if (!TakeNumber(line, row.tid)) return false;
  if (line.starts_with(':')) {  // that was the interpreter
    line.remove_prefix(1);
    if (!TakeNumber(line, row.tid)) return false;
  }
  if (!line.empty() && !line.starts_with(';')) return false;
  row.frames = line;
  for (row.count = 0; row.count < row.numbers.size(); ++row.count) {
    if (!TakeNumber(numbers, row.numbers[row.count])) return false;
    if (numbers.empty()) break;
    if (!numbers.starts_with(',')) return false;
    numbers.remove_prefix(1);
  }
  ++row.count;
  return numbers.empty() && row.count != 2;
}

FrameText ParseFrame(std::string_view label) {
  if (label == ":GC:") return AustinRun::kCollector;
  if (label == ":INVALID:") return AustinRun::kInvalid;
  FrameText text = ParseFrameLabel(label);
  if (text.file == "kernel") {
    text.file = {};
    text.language = FrameText::Language::kKernel;
  }
  return text;
}

void TakeMetadata(std::string_view line, AustinRun& run) {
  line.remove_prefix(1);
  while (line.starts_with(' ')) line.remove_prefix(1);
  const size_t colon = line.find(": ");
  if (colon != std::string_view::npos) run.Take(line.substr(0, colon), line.substr(colon + 2));
}

}  // namespace

bool RecognisesAustin(std::string_view head, bool whole) {
  if (head.starts_with("# austin: ")) return true;
  while (!head.empty()) {
    const size_t end = head.find('\n');
    std::string_view line = head.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.empty() || line.starts_with('#')) continue;
    Row row;
    return (end != std::string_view::npos || whole) && Parse(line, row);
  }
  return false;
}

base::Status ReadAustin(ByteInput& input, const ReadOptions& /*options*/, ProfileMaker& maker) {
  LineInput lines(input);
  AustinRun run(maker);
  std::vector<format::FrameId> frames;
  bool understood = false;
  while (const auto line = lines.Next()) {
    if (line->empty()) continue;
    if (line->starts_with('#')) {
      TakeMetadata(*line, run);
      continue;
    }
    Row row;
    if (!Parse(*line, row)) {
      maker.AddLoss("lines that are no stack with its metrics");
      continue;
    }
    understood = true;
    frames.clear();
    for (std::string_view rest = row.frames; !rest.empty();) {
      rest.remove_prefix(1);
      const std::string_view label = rest.substr(0, rest.find(';'));
      rest.remove_prefix(label.size());
      if (!label.empty()) frames.push_back(maker.Frame(ParseFrame(label)));
    }
    AustinRun::Metrics metrics;
    if (row.count == 3)
      metrics = {row.numbers[0], row.numbers[2], row.numbers[1] != 0};
    else if (run.has_memory_only())
      metrics.memory_bytes = row.numbers[0];
    else
      metrics.time_us = row.numbers[0];
    run.Add(maker.Thread(maker.Process(row.pid), row.tid), maker.Stack(frames), metrics);
    if (maker.full()) return {};
  }
  if (!understood) return base::Error{"no line of it is a stack with its metrics"};
  if (!lines.status().ok()) maker.AddLoss(lines.status().error().message);
  run.Note();
  return {};
}

}  // namespace pyrometer::import_
