// SPDX-License-Identifier: Apache-2.0
#include "profile/source_frames.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/library_path.h"
#include "base/pair_index.h"
#include "base/source_language.h"
#include "profile/cython_name.h"

namespace pyrometer::profile {
namespace {

using format::FrameId;
using format::FrameInfo;
using format::FrameKind;
using format::StackId;
using format::StringId;
using format::SymbolLine;

// Compilers inline a few dozen levels deep. A capture that claims more must not
// multiply its stacks without end.
constexpr size_t kMostInlined = 64;
constexpr size_t kMostStacks = size_t{1} << 24;

std::string_view StemOf(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  return path.substr(0, path.rfind('.'));
}

class Expander {
 public:
  explicit Expander(Profile& profile) : profile_(profile) {
    for (const format::SourceInfo& source : profile.sources)
      sources_.emplace(profile.Text(source.path), source.text);
  }

  void Run() {
    std::vector<format::SymbolInfo> symbols = profile_.symbols;
    for (const format::SymbolInfo& symbol : symbols) ExpandFrame(symbol);
    if (parts_.empty()) return;
    RebuildStacks();
  }

 private:
  // A function of source code, with the line that runs in it.
  struct SourcePart {
    format::CodeId code;
    uint32_t line;
    bool wrapper;  // of the same function, which it calls
  };

  void ExpandFrame(const format::SymbolInfo& symbol);
  std::optional<SourcePart> SourceOf(const SymbolLine& line, std::string_view module);
  bool IsShownAs(const std::string& file, std::string_view module) const;
  format::CodeId Code(StringId file, std::string_view name, uint32_t first_line);
  FrameId SourceFrame(const SourcePart& part);
  FrameId NativeFrame(const FrameInfo& whole, std::vector<SymbolLine> lines);
  StringId Intern(std::string_view text);
  void RebuildStacks();
  StackId Enter(StackId parent, FrameId frame);

  Profile& profile_;
  std::unordered_map<std::string, std::string_view> sources_;  // text by path
  std::map<std::string, StringId, std::less<>> strings_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, format::CodeId> codes_;
  std::map<std::tuple<uint32_t, uint32_t, bool>, FrameId> source_frames_;
  std::map<uint32_t, std::vector<FrameId>> parts_;  // by frame: outermost first
  std::unordered_map<uint32_t, bool> wrappers_;     // source frames: is it one?
  base::PairIndex stack_index_;
  std::vector<format::StackInfo> stacks_;
};

bool Expander::IsShownAs(const std::string& file, std::string_view module) const {
  return sources_.contains(file) || base::IsLibraryPath(file) || !base::IsLibraryPath(module);
}

std::optional<Expander::SourcePart> Expander::SourceOf(const SymbolLine& line,
                                                       std::string_view module) {
  const std::string& file = profile_.Text(line.file);
  if (line.line == 0 || !base::IsPythonSource(file) || !IsShownAs(file, module))
    return std::nullopt;
  const auto it = sources_.find(file);
  const std::string_view source = it == sources_.end() ? std::string_view() : it->second;
  CythonName name{profile_.Text(line.function), false};
  if (!file.ends_with(".py")) {
    std::optional<CythonName> cython = ParseCythonName(name.function, StemOf(file), source);
    if (!cython) return std::nullopt;
    name = std::move(*cython);
  }
  const Definition definition = FindDefinition(source, name.function, line.line);
  if (name.function.empty()) name.function = definition.name;
  if (name.function.empty()) name.function = profile_.Text(line.function);
  return SourcePart{Code(line.file, name.function, definition.line), line.line, name.wrapper};
}

void Expander::ExpandFrame(const format::SymbolInfo& symbol) {
  const FrameInfo whole = profile_.frames[symbol.frame.value];
  if (whole.kind != FrameKind::kNative) return;
  const std::string module = profile_.Text(profile_.modules[whole.module.value].path);
  std::vector<FrameId> parts;
  std::vector<SymbolLine> natives;  // innermost first, not yet in `parts`
  std::optional<SourcePart> outer;
  bool any = false;
  const auto flush = [&] {
    if (!natives.empty()) parts.push_back(NativeFrame(whole, std::exchange(natives, {})));
  };
  for (size_t i = std::min(symbol.lines.size(), kMostInlined); i-- > 0;) {
    const std::optional<SourcePart> part = SourceOf(symbol.lines[i], module);
    if (!part) {
      natives.insert(natives.begin(), symbol.lines[i]);
      continue;
    }
    const bool repeats = outer && outer->wrapper && outer->code == part->code && natives.empty();
    flush();
    if (repeats) parts.pop_back();
    parts.push_back(SourceFrame(*part));
    outer = part;
    any = true;
  }
  if (!any) return;
  flush();
  parts_.emplace(symbol.frame.value, std::move(parts));
}

StringId Expander::Intern(std::string_view text) {
  if (strings_.empty())
    for (uint32_t i = 0; i < profile_.strings.size(); ++i)
      strings_.try_emplace(profile_.strings[i], StringId(i));
  const auto it = strings_.find(text);
  if (it != strings_.end()) return it->second;
  const StringId id(static_cast<uint32_t>(profile_.strings.size()));
  profile_.strings.emplace_back(text);
  strings_.emplace(text, id);
  return id;
}

format::CodeId Expander::Code(StringId file, std::string_view name, uint32_t first_line) {
  file = Intern(profile_.Text(file));  // a capture may have one text under several ids
  const StringId qualname = Intern(name);
  const auto [it, fresh] = codes_.try_emplace({file.value, qualname.value, first_line},
                                              static_cast<uint32_t>(profile_.codes.size()));
  if (fresh) profile_.codes.push_back({file, qualname, first_line});
  return it->second;
}

FrameId Expander::SourceFrame(const SourcePart& part) {
  const auto [it, fresh] = source_frames_.try_emplace(
      {part.code.value, part.line, part.wrapper}, static_cast<uint32_t>(profile_.frames.size()));
  if (fresh) {
    profile_.frames.push_back({.kind = FrameKind::kPython, .code = part.code, .line = part.line});
    wrappers_[it->second.value] = part.wrapper;
  }
  return it->second;
}

FrameId Expander::NativeFrame(const FrameInfo& whole, std::vector<SymbolLine> lines) {
  const FrameId id(static_cast<uint32_t>(profile_.frames.size()));
  profile_.frames.push_back(whole);
  profile_.symbols.push_back({id, std::move(lines)});
  return id;
}

StackId Expander::Enter(StackId parent, FrameId frame) {
  // A wrapper and the function that it calls are one to whoever reads a stack.
  if (const auto it = wrappers_.find(frame.value); it != wrappers_.end() && !it->second) {
    const FrameId caller = stacks_[parent.value].frame;
    const auto outer =
        parent == format::kEmptyStack ? wrappers_.end() : wrappers_.find(caller.value);
    if (outer != wrappers_.end() && outer->second &&
        profile_.frames[caller.value].code == profile_.frames[frame.value].code)
      parent = stacks_[parent.value].parent;
  }
  const uint32_t number = stack_index_.Number(parent.value, frame.value);
  if (number + 1 == stacks_.size()) stacks_.push_back({parent, frame});
  return StackId(number + 1);
}

void Expander::RebuildStacks() {
  size_t expected = profile_.stacks.size();
  for (const format::StackInfo& stack : profile_.stacks)
    if (const auto it = parts_.find(stack.frame.value); it != parts_.end())
      expected += it->second.size();
  if (expected > kMostStacks) return;
  stack_index_ = base::PairIndex(profile_.stacks.size());
  std::vector<StackId> places(profile_.stacks.size());
  stacks_.push_back(profile_.stacks[0]);
  for (size_t i = 1; i < profile_.stacks.size(); ++i) {
    const format::StackInfo& stack = profile_.stacks[i];
    StackId place = places[stack.parent.value];
    if (const auto it = parts_.find(stack.frame.value); it != parts_.end())
      for (const FrameId part : it->second) place = Enter(place, part);
    else
      place = Enter(place, stack.frame);
    places[i] = place;
  }
  profile_.stacks = std::move(stacks_);
  const auto move = [&](auto& records) {
    for (auto& record : records) record.stack = places[record.stack.value];
  };
  for (StackId& stack : profile_.samples.stack) stack = places[stack.value];
  for (Task& task : profile_.tasks) task.origin = places[task.origin.value];
  move(profile_.awaits);
  move(profile_.loop_blocks);
  move(profile_.memory_changes);
  for (format::MemoryPeak& peak : profile_.memory_peaks) move(peak.parts);
  for (format::MemorySurvivors& survivors : profile_.memory_survivors) move(survivors.parts);
}

}  // namespace

void ExpandSourceFrames(Profile& profile) {
  const bool any = std::ranges::any_of(profile.symbols, [&](const format::SymbolInfo& symbol) {
    return std::ranges::any_of(symbol.lines, [&](const SymbolLine& line) {
      return base::IsPythonSource(profile.Text(line.file));
    });
  });
  if (any) Expander(profile).Run();
}

}  // namespace pyrometer::profile
