// SPDX-License-Identifier: Apache-2.0
#include "export/tables/resolved_frames.h"

#include <algorithm>

namespace pyrometer::export_ {
namespace {

using analyze::FrameTable;
using profile::Profile;

// Compilers inline a few dozen levels deep. A capture that claims more must not
// multiply its stacks without end.
constexpr size_t kMostInlined = 64;

}  // namespace

ResolvedFrames::ResolvedFrames(const Profile& profile, const FrameTable& table,
                               const analyze::Scope& scope, TextTable& strings)
    : strings_(strings) {
  AddPython(table);
  AddNatives(table);
  AddLists(profile, table);
  AddCoroutines(profile, scope);
}

uint32_t ResolvedFrames::FileOf(uint32_t path, FileKind kind) {
  // What is in scope and what is not are one name space: a path is either.
  const FileKind space = kind == FileKind::kLibrary ? FileKind::kOwn : kind;
  const auto [it, fresh] =
      file_numbers_.try_emplace({path, space}, static_cast<uint32_t>(files_.size()));
  if (fresh) files_.push_back({path, kind, 0});
  return it->second;
}

uint32_t ResolvedFrames::PythonFunction(const Function& function) {
  const auto [it, fresh] = function_numbers_.try_emplace(
      {function.file, function.name, function.line}, static_cast<uint32_t>(functions_.size()));
  if (fresh) functions_.push_back(function);
  return it->second;
}

void ResolvedFrames::AddPython(const FrameTable& table) {
  std::vector<uint32_t> file_of, function_of;
  for (const FrameTable::File& file : table.files()) {
    file_of.push_back(
        FileOf(strings_.Number(file.path), file.in_scope ? FileKind::kOwn : FileKind::kLibrary));
  }
  for (const FrameTable::Function& function : table.functions()) {
    function_of.push_back(PythonFunction(
        {file_of[function.file], strings_.Number(function.name), function.first_line}));
  }
  for (const FrameTable::Spot& spot : table.spots())
    frames_.push_back({function_of[spot.function], table.lines()[spot.line].number});
}

void ResolvedFrames::AddNatives(const FrameTable& table) {
  first_native_ = static_cast<uint32_t>(functions_.size());
  for (const FrameTable::Native& native : table.natives()) {
    const FileKind kind = native.module.empty() ? FileKind::kSpecial : FileKind::kNative;
    functions_.push_back(
        {FileOf(strings_.Number(native.module), kind), strings_.Number(native.name), 0});
  }
}

void ResolvedFrames::AddLists(const Profile& profile, const FrameTable& table) {
  std::vector<const format::SymbolInfo*> symbols(profile.frames.size(), nullptr);
  for (const format::SymbolInfo& symbol : profile.symbols) symbols[symbol.frame.value] = &symbol;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> known;
  begins_.reserve(profile.frames.size() + 1);
  for (uint32_t i = 0; i < profile.frames.size(); ++i) {
    begins_.push_back(static_cast<uint32_t>(lists_.size()));
    const format::FrameId id(i);
    if (table.IsPython(id)) {
      lists_.push_back(table.SpotOf(id));
      continue;
    }
    const std::span<const uint32_t> natives = table.NativesOf(id);
    const bool has_lines = symbols[i] != nullptr && symbols[i]->lines.size() == natives.size();
    // Innermost first there, outermost first here.
    for (size_t at = std::min(natives.size(), kMostInlined); at-- > 0;) {
      const format::SymbolLine line = has_lines ? symbols[i]->lines[at] : format::SymbolLine();
      const uint32_t file = line.line == 0 ? 0 : strings_.Number(profile.Text(line.file));
      const uint32_t number = file == 0 ? 0 : line.line;
      const auto [it, fresh] =
          known.try_emplace({natives[at], file, number}, static_cast<uint32_t>(frames_.size()));
      if (fresh) frames_.push_back({first_native_ + natives[at], 0, file, number});
      lists_.push_back(it->second);
    }
  }
  begins_.push_back(static_cast<uint32_t>(lists_.size()));
}

// A task may have been seen before any frame of its coroutine was.
void ResolvedFrames::AddCoroutines(const Profile& profile, const analyze::Scope& scope) {
  for (const profile::Task& task : profile.tasks) {
    const format::CodeInfo& code = profile.codes[task.info.coroutine.value];
    const std::string& path = profile.Text(code.filename);
    const FileKind kind = scope.Contains(path) ? FileKind::kOwn : FileKind::kLibrary;
    coroutines_.push_back(
        PythonFunction({FileOf(strings_.Number(path), kind),
                        strings_.Number(profile.Text(code.qualname)), code.first_line}));
  }
}

void ResolvedFrames::AddSources(const Profile& profile) {
  for (const format::SourceInfo& source : profile.sources) {
    const uint32_t path = strings_.Number(profile.Text(source.path));
    const auto file = file_numbers_.find({path, FileKind::kOwn});
    if (file != file_numbers_.end()) files_[file->second].source = strings_.Number(source.text);
  }
}

}  // namespace pyrometer::export_
