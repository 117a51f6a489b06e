// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/frame_table.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyze/code/generated_code.h"
#include "analyze/code/package_name.h"
#include "analyze/code/package_opener.h"
#include "base/hash.h"
#include "base/library_path.h"
#include "profile/helper_programs.h"

namespace pyrometer::analyze {
namespace {

using format::FrameId;
using format::FrameInfo;
using format::FrameKind;
using format::StringId;

// Gives equal keys the same dense index and calls `add` for each new one.
template <class Key>
class Interner {
 public:
  template <class Add>
  uint32_t operator()(const Key& key, Add add) {
    const auto [it, fresh] = indices_.try_emplace(key, static_cast<uint32_t>(indices_.size()));
    if (fresh) add();
    return it->second;
  }

 private:
  std::unordered_map<Key, uint32_t, base::KeyHash> indices_;
};

// Maps every string id to the first id with the same text.
std::vector<uint32_t> CanonicalStrings(const std::vector<std::string>& strings) {
  std::unordered_map<std::string_view, uint32_t> first;
  std::vector<uint32_t> canonical(strings.size());
  for (uint32_t i = 0; i < strings.size(); ++i) {
    canonical[i] = first.try_emplace(strings[i], i).first->second;
  }
  return canonical;
}

std::vector<const format::SymbolInfo*> SymbolsByFrame(const profile::Profile& profile) {
  std::vector<const format::SymbolInfo*> symbols(profile.frames.size(), nullptr);
  for (const format::SymbolInfo& symbol : profile.symbols) symbols[symbol.frame.value] = &symbol;
  return symbols;
}

// Whether the code of this file was installed, rather than having come with the interpreter.
bool IsInstalled(std::string_view path) {
  return path.find("/site-packages/") != path.npos || path.find("/dist-packages/") != path.npos;
}

}  // namespace

FrameTable::FrameTable(const profile::Profile& profile, const Scope& scope) {
  frames_.reserve(profile.frames.size());
  AddFrames(profile, scope);
  const bool by_default = !scope.all && scope.only.empty();
  if (by_default) LeaveOutGenerated(profile);
  FindScopedSpots(profile);
  if (by_default && scope.open_packages) OpenPackages(profile, scope);
}

std::vector<bool> FrameTable::UsedStacks(const profile::Profile& profile) {
  std::vector<bool> used(profile.stacks.size());
  for (const format::StackId stack : profile.samples.stack) used[stack.value] = true;
  for (const format::Await& await : profile.awaits) used[await.stack.value] = true;
  for (const format::MemoryChange& change : profile.memory_changes) used[change.stack.value] = true;
  for (const format::MemoryPeak& peak : profile.memory_peaks)
    for (const format::LiveMemory& part : peak.parts) used[part.stack.value] = true;
  for (size_t i = used.size(); i-- > 1;)
    if (used[i]) used[profile.stacks[i].parent.value] = true;
  return used;
}

std::vector<FrameTable::Callers> FrameTable::FindCallers(const profile::Profile& profile) const {
  std::vector<Callers> callers(files_.size());
  // Of each stack, the file of its innermost Python frame, and of the innermost one that is
  // not made of text.
  std::vector<uint32_t> innermost(profile.stacks.size(), kNone), written(innermost);
  const std::vector<bool> used = UsedStacks(profile);
  for (size_t i = 1; i < profile.stacks.size(); ++i) {
    const auto& [parent, frame] = profile.stacks[i];
    innermost[i] = innermost[parent.value];
    written[i] = written[parent.value];
    if (!IsPython(frame)) continue;
    const uint32_t file = lines_[spots_[SpotOf(frame)].line].file;
    const uint32_t caller = std::exchange(innermost[i], file);
    if (!IsMadeOfText(files_[file].path)) {
      written[i] = file;
    } else if (!used[i]) {
      continue;  // NameHelperPrograms has put another in its place
    } else if (caller == kNone) {
      callers[file].is_program = true;
    } else if (caller != file) {
      const bool own = written[i] == kNone || files_[written[i]].in_scope;
      ++(own ? callers[file].own : callers[file].library);
    }
  }
  return callers;
}

// Time in code that is left out counts for the lines that call it.
void FrameTable::LeaveOutGenerated(const profile::Profile& profile) {
  if (std::ranges::none_of(files_, IsMadeOfText, &File::path)) return;
  std::set<std::string> packages;
  for (const File& file : files_)
    if (IsInstalled(file.path)) packages.insert(PackageName(file.path));
  const std::vector<Callers> callers = FindCallers(profile);
  for (size_t i = 0; i < files_.size(); ++i) {
    const std::string_view path = files_[i].path;
    if (!IsMadeOfText(path) || IsTyped(path)) continue;
    const Callers& of = callers[i];
    const bool is_program = of.is_program && path != profile::kHelperProgram;
    const bool of_library =
        IsUnreadable(path) || (of.library != 0 && of.library >= of.own) ||
        std::ranges::any_of(packages, [&](const auto& name) { return Mentions(path, name); });
    if (of_library && !is_program) files_[i].in_scope = false;
  }
}

void FrameTable::OpenPackages(const profile::Profile& profile, const Scope& scope) {
  PackageOpener opener(profile, *this);
  while (const std::optional<std::string> package = opener.Next()) {
    for (File& file : files_)
      if (base::IsLibraryPath(file.path) && PackageName(file.path) == *package)
        file.in_scope = !scope.Excludes(file.path);
    FindScopedSpots(profile);
  }
  opened_ = opener.opened();
}

void FrameTable::AddFrames(const profile::Profile& profile, const Scope& scope) {
  const std::vector<uint32_t> canonical = CanonicalStrings(profile.strings);
  const std::vector<const format::SymbolInfo*> symbols = SymbolsByFrame(profile);
  Interner<uint32_t> file_index;
  Interner<std::tuple<uint32_t, uint32_t>> line_index, native_index, spot_index;
  Interner<std::tuple<uint32_t, uint32_t, uint32_t>> function_index;

  std::vector<bool> profiled(profile.codes.size());
  for (const format::ProfiledFunction& function : profile.profiled_functions)
    profiled[function.code.value] = true;

  const auto add_native = [&](StringId name, StringId module) {
    const uint32_t name_id = canonical[name.value], module_id = canonical[module.value];
    native_lists_.push_back(native_index({name_id, module_id}, [&] {
      natives_.push_back({profile.strings[name_id], profile.strings[module_id]});
    }));
  };
  const auto add_python = [&](const FrameInfo& info) {
    const format::CodeInfo& code = profile.codes[info.code.value];
    const uint32_t path = canonical[code.filename.value], name = canonical[code.qualname.value];
    const uint32_t file = file_index(path, [&] {
      files_.push_back({profile.strings[path], scope.Contains(profile.strings[path])});
    });
    const uint32_t line =
        line_index({file, info.line}, [&] { lines_.push_back({file, info.line}); });
    const uint32_t function = function_index({file, name, code.first_line}, [&] {
      functions_.push_back({file, profile.strings[name], code.first_line});
    });
    if (profiled[info.code.value]) functions_[function].profiled = true;
    return spot_index({line, function}, [&] { spots_.push_back({line, function}); });
  };

  for (size_t i = 0; i < profile.frames.size(); ++i) {
    const FrameInfo& info = profile.frames[i];
    if (info.kind == FrameKind::kPython) {
      frames_.push_back({true, add_python(info), 0});
      continue;
    }
    const uint32_t begin = static_cast<uint32_t>(native_lists_.size());
    if (info.kind == FrameKind::kSpecial) {
      add_native(info.name, format::kEmptyString);
    } else if (const StringId module = profile.modules[info.module.value].path;
               symbols[i] == nullptr || symbols[i]->lines.empty()) {
      add_native(format::kEmptyString, module);
    } else {
      for (const format::SymbolLine& line : symbols[i]->lines) add_native(line.function, module);
    }
    frames_.push_back({false, begin, static_cast<uint32_t>(native_lists_.size()) - begin});
  }
}

std::span<const uint32_t> FrameTable::NativesOf(FrameId frame) const {
  const Frame& entry = frames_[frame.value];
  return std::span(native_lists_).subspan(entry.first, entry.count);
}

void FrameTable::FindScopedSpots(const profile::Profile& profile) {
  // A caller has a lower id than what it calls.
  scoped_spots_.assign(profile.stacks.size(), kNone);
  for (size_t i = 1; i < profile.stacks.size(); ++i) {
    const format::StackInfo& stack = profile.stacks[i];
    const bool own = IsPython(stack.frame) && InScope(spots_[SpotOf(stack.frame)]);
    scoped_spots_[i] = own ? SpotOf(stack.frame) : scoped_spots_[stack.parent.value];
  }
}

}  // namespace pyrometer::analyze
