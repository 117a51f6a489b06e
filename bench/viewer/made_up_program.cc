// SPDX-License-Identifier: Apache-2.0
#include "made_up_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace pyrometer::bench {
namespace {

constexpr uint32_t kFiles = 400;
constexpr uint32_t kCodes = 5'000;
constexpr uint32_t kNatives = 4'000;
constexpr uint32_t kLinesOfCode = 8;
constexpr uint8_t kTrunk = 25;  // depth that all paths share a part of
constexpr uint8_t kDeepest = 60;

constexpr std::array kNouns = {"order",  "price",  "batch",  "record", "token", "matrix",
                               "column", "report", "client", "socket", "route", "filter",
                               "schema", "cursor", "vector", "tensor"};
constexpr std::array kVerbs = {"load",  "parse",  "merge", "check",  "build",  "encode",
                               "apply", "reduce", "visit", "insert", "update", "render",
                               "split", "shift",  "fetch", "commit"};

std::string Noun(uint32_t i) { return kNouns[i % kNouns.size()]; }
std::string Verb(uint32_t i) { return kVerbs[i % kVerbs.size()]; }
std::string Title(std::string word) {
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

std::string PathOf(uint32_t file) {
  const std::string name = Noun(file) + "_" + Noun(file / 16) + std::to_string(file) + ".py";
  if (file % 4 == 0) return "/srv/shop/" + Noun(file / 7) + "s/" + name;
  if (file % 4 == 1) return "/usr/lib/python3.12/" + Noun(file / 5) + "/" + name;
  return "/usr/lib/python3/dist-packages/" + Noun(file / 9) + "kit/" + name;
}

}  // namespace

MadeUpProgram::MadeUpProgram(format::CaptureWriter& writer, uint32_t stacks, uint64_t seed)
    : random_(seed) {
  AddCodes(writer);
  AddNatives(writer);
  AddStacks(writer, stacks);
}

void MadeUpProgram::AddCodes(format::CaptureWriter& writer) {
  for (uint32_t i = 0; i < kCodes; ++i) {
    const std::string method = Verb(i / 3) + "_" + Noun(i / 48) + std::to_string(i / 700);
    const std::string name =
        i % 3 == 0 ? method : Title(Noun(i / 11)) + Title(Noun(i / 5)) + "." + method;
    codes_.push_back(writer.AddCode(
        {writer.Intern(PathOf(i % kFiles)), writer.Intern(name), 10 + i / kFiles * 40}));
  }
  lines_.resize(kCodes);
}

void MadeUpProgram::AddNatives(format::CaptureWriter& writer) {
  std::vector<format::ModuleId> modules;
  for (uint32_t i = 0; i < 24; ++i)
    modules.push_back(writer.AddModule(
        {writer.Intern("/usr/lib/lib" + Noun(i) + std::to_string(i / 16) + ".so.1"), ""}));
  for (uint32_t i = 0; i < kNatives; ++i) {
    const format::FrameId frame = writer.AddFrame({.kind = format::FrameKind::kNative,
                                                   .module = modules[i % modules.size()],
                                                   .address = 0x1000 + i * 64});
    // Some have a function that was inlined, some are two places of one function.
    format::SymbolInfo symbol{frame, {}};
    if (i % 10 == 0)
      symbol.lines.push_back(
          {writer.Intern("inline_" + Verb(i / 10)), writer.Intern(Noun(i) + ".h"), i % 300 + 1});
    symbol.lines.push_back(
        {writer.Intern(Noun(i / 2) + "_" + Verb(i / 32) + std::to_string(i / 512)), {}, 0});
    writer.AddSymbol(symbol);
    natives_.push_back(frame);
  }
}

format::FrameId MadeUpProgram::PythonFrame(format::CaptureWriter& writer) {
  // Squared: low numbers, and so some functions, are everywhere.
  const double share = std::uniform_real_distribution<>()(random_);
  const auto code = static_cast<uint32_t>(share * share * kCodes);
  std::vector<format::FrameId>& lines = lines_[code];
  const size_t line = random_() % kLinesOfCode;
  while (lines.size() <= line) {
    const auto number = 11 + code / kFiles * 40 + static_cast<uint32_t>(lines.size()) * 3;
    lines.push_back(writer.AddFrame(
        {.kind = format::FrameKind::kPython, .code = codes_[code], .line = number}));
  }
  return lines[line];
}

void MadeUpProgram::AddStacks(format::CaptureWriter& writer, uint32_t count) {
  depth_.push_back(0);
  native_.push_back(false);
  uint32_t last = 0;
  std::vector<uint32_t> trunk{0};  // nodes from which paths branch off
  const auto extend = [&](uint32_t parent, format::FrameId frame, bool native) {
    const uint32_t id = writer.AddStack({format::StackId(parent), frame}).value;
    depth_.push_back(static_cast<uint8_t>(depth_[parent] + 1));
    native_.push_back(native);
    if (depth_.back() >= kTrunk && depth_.back() < 45) trunk.push_back(id);
    last = id;
    return id;
  };
  while (last < count) {
    // Mostly from the youngest branches, as what runs changes over time.
    const size_t window = std::min<size_t>(trunk.size(), 4096);
    uint32_t node = random_() % 16 == 0 ? trunk[random_() % trunk.size()]
                                        : trunk[trunk.size() - 1 - random_() % window];
    const uint8_t target =
        std::min<uint8_t>(kDeepest, static_cast<uint8_t>(std::max<int>(30, depth_[node] + 1) +
                                                         static_cast<int>(random_() % 8)));
    while (last < count && depth_[node] + 2 < target)
      node = extend(node, PythonFrame(writer), false);
    for (int i = 0; i < 2 && last < count; ++i)
      node = extend(node, natives_[random_() % natives_.size()], true);
    leaves_.push_back(node);
  }
}

format::StackId MadeUpProgram::Pick(double position, std::mt19937_64& random) const {
  const double share = std::uniform_real_distribution<>()(random);
  // A tenth of the time anywhere; else near the place that the run has come to,
  // the nearer the likelier.
  const double offset = share * share * share * 0.02;
  const double at = random() % 10 == 0 ? share : std::min(1.0, position * 0.98 + offset);
  const auto index = static_cast<size_t>(at * static_cast<double>(leaves_.size() - 1));
  return format::StackId(leaves_[index]);
}

}  // namespace pyrometer::bench
