// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/stack_table.h"

#include "base/library_path.h"
#include "base/source_language.h"

namespace pyrometer::capture {

format::CodeId StackTable::Code(std::string_view filename, std::string_view qualname,
                                uint32_t first_line) {
  const auto [it, fresh] =
      codes_.try_emplace({std::string(filename), std::string(qualname), first_line});
  if (fresh) {
    it->second = writer_.AddCode({writer_.Intern(filename), writer_.Intern(qualname), first_line});
    leaf_counts_.resize(it->second.value + 1);
    stack_counts_.resize(it->second.value + 1);
  }
  return it->second;
}

format::ModuleId StackTable::Module(const std::string& path, const std::string& build_id,
                                    bool infrastructure) {
  const auto [it, fresh] = module_ids_.try_emplace({path, build_id});
  if (fresh) {
    it->second = writer_.AddModule({writer_.Intern(path), build_id});
    modules_.push_back({path, build_id, infrastructure});
  }
  return it->second;
}

format::FrameId StackTable::PythonFrame(format::CodeId code, uint32_t line) {
  const auto [it, fresh] = python_frames_.try_emplace({code.value, line});
  if (fresh) {
    format::FrameInfo frame;
    frame.kind = format::FrameKind::kPython;
    frame.code = code;
    frame.line = line;
    it->second = writer_.AddFrame(frame);
    frame_codes_.resize(it->second.value + 1);
    frame_codes_.back() = code.value + 1;
  }
  return it->second;
}

format::FrameId StackTable::NativeFrame(format::ModuleId module, uint64_t address) {
  const auto [it, fresh] = native_ids_.try_emplace({module.value, address});
  if (fresh) {
    format::FrameInfo frame;
    frame.kind = format::FrameKind::kNative;
    frame.module = module;
    frame.address = address;
    it->second = writer_.AddFrame(frame);
    native_frames_.push_back({it->second, module, address});
  }
  return it->second;
}

format::FrameId StackTable::JitFrame(uint64_t pc) {
  format::FrameInfo frame;
  frame.kind = format::FrameKind::kNative;
  frame.module = Module("JIT code", "", true);
  frame.address = pc;
  return writer_.AddFrame(frame);
}

void StackTable::Name(const symbolize::NamedFrame& named) {
  writer_.AddSymbol(symbolize::ToSymbolInfo(
      named, [this](std::string_view text) { return writer_.Intern(text); }));
  for (const symbolize::SymbolLine& line : named.lines)
    if (base::IsPythonSource(line.file)) compiled_sources_.insert(line.file);
}

format::FrameId StackTable::SpecialFrame(std::string_view name) {
  if (const auto it = special_frames_.find(name); it != special_frames_.end()) return it->second;
  format::FrameInfo frame;
  frame.kind = format::FrameKind::kSpecial;
  frame.name = writer_.Intern(name);
  const format::FrameId id = writer_.AddFrame(frame);
  special_frames_.emplace(name, id);
  return id;
}

format::StackId StackTable::Stack(format::StackId caller, format::FrameId frame) {
  CountFrame(caller, frame);
  const uint64_t key = uint64_t{caller.value} << 32 | frame.value;
  if (const auto it = stacks_.find(key); it != stacks_.end()) return it->second;
  if (stacks_.size() >= kMaxStacks) {
    ++stacks_refused_;
    return caller;
  }
  const format::StackId id = writer_.AddStack({caller, frame});
  stacks_.emplace(key, id);
  return id;
}

void StackTable::MarkProfiled(format::CodeId code, bool inner) {
  if (profiled_.emplace(code.value, inner).second) writer_.AddProfiledFunction({code, inner});
}

std::vector<std::string> StackTable::SourceFiles() const {
  constexpr uint64_t kWorthKeeping = 100;  // one in so many
  constexpr uint64_t kOnManyStacks = 20, kOnFewStacks = 5;
  uint64_t total = 0, own = 0;
  std::map<std::string, uint64_t> counts, on_stacks;
  std::set<std::string> profiled;
  for (const auto& [key, code] : codes_) {
    const std::string& file = std::get<0>(key);
    counts[file] += leaf_counts_[code.value];
    on_stacks[file] += stack_counts_[code.value];
    // An entry point of a tool is not the user's work, wherever it is installed.
    if (!base::IsLibraryPath(file) && !file.starts_with('<') && file.find("/bin/") == file.npos)
      own += stack_counts_[code.value];
    total += leaf_counts_[code.value];
    if (profiled_.contains({code.value, false})) profiled.insert(std::get<0>(key));
  }
  const bool is_tool = own * kOnFewStacks < stacks_walked_;
  std::vector<std::string> files(compiled_sources_.begin(), compiled_sources_.end());
  for (const auto& [file, count] : counts)
    if (!base::IsLibraryPath(file) || profiled.contains(file) ||
        (count != 0 && count * kWorthKeeping >= total) ||
        (is_tool && on_stacks[file] * kOnManyStacks >= stacks_walked_))
      files.push_back(file);
  return files;
}

}  // namespace pyrometer::capture
