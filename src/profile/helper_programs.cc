// SPDX-License-Identifier: Apache-2.0
#include "profile/helper_programs.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/library_path.h"

namespace pyrometer::profile {
namespace {

constexpr char kGivenAsText[] = "<string>";
// What uv has an interpreter run, from files that it puts into a folder for that moment.
constexpr char kQueryOfUv[] = "from python.get_interpreter_info import main";

enum class Program : uint8_t {
  kUsers,
  kHelpers,    // another recorded process has given it
  kToolsFile,  // in files of a tool; none of the user's code runs
};

bool IsQueryOfUv(const std::vector<std::string>& argv) {
  return std::ranges::any_of(
      argv, [](const std::string& word) { return word.find(kQueryOfUv) != word.npos; });
}

// Whose program each process runs.
std::vector<Program> FindPrograms(const Profile& profile) {
  std::vector<Program> programs(profile.processes.size(), Program::kUsers);
  std::unordered_map<uint64_t, size_t> by_pid;
  for (size_t i = 0; i < profile.processes.size(); ++i) {
    const format::ProcessInfo& info = profile.processes[i].info;
    if (const auto parent = by_pid.find(info.parent_pid); parent != by_pid.end()) {
      const bool forked = info.argv == profile.processes[parent->second].info.argv;
      programs[i] = forked ? programs[parent->second] : Program::kHelpers;
    }
    if (IsQueryOfUv(info.argv)) programs[i] = Program::kToolsFile;
    by_pid[info.pid] = i;
  }
  return programs;
}

// Makes new stacks for those that begin with the program of a helper; exists for the
// duration of NameHelperPrograms.
class Namer {
 public:
  Namer(Profile& profile, Program program)
      : profile_(profile), program_(program), parts_(profile.stacks.size()) {
    for (size_t i = 1; i < parts_.size(); ++i) parts_[i] = PartOf(profile.stacks[i]);
  }

  // The stack that stands for this one in a helper.
  format::StackId Renamed(format::StackId stack) {
    std::vector<format::StackId> open;
    for (; parts_[stack.value] != Part::kOutside && !renamed_.contains(stack.value);
         stack = profile_.stacks[stack.value].parent)
      open.push_back(stack);
    const auto known = renamed_.find(stack.value);
    format::StackId now = known == renamed_.end() ? stack : known->second;
    for (; !open.empty(); open.pop_back()) {
      const format::FrameId frame = profile_.stacks[open.back().value].frame;
      const bool is_program =
          parts_[open.back().value] == Part::kProgram && IsPython(frame) && IsOfProgram(frame);
      profile_.stacks.push_back({now, is_program ? RenamedFrame(frame) : frame});
      now = format::StackId(static_cast<uint32_t>(profile_.stacks.size() - 1));
      renamed_.emplace(open.back().value, now);
    }
    return now;
  }

 private:
  enum class Part : uint8_t {
    kOutside,  // no Python frame yet, or the outermost is no program that was given as text
    kProgram,  // all Python frames up to here are of such a program (exec() may be between),
               // or may be of a tool's files
    kBelow,    // called by it
  };

  bool IsPython(format::FrameId frame) const {
    return profile_.frames[frame.value].kind == format::FrameKind::kPython;
  }
  bool IsOfProgram(format::FrameId frame) const {
    const format::CodeInfo& code = profile_.codes[profile_.frames[frame.value].code.value];
    const std::string_view file = profile_.Text(code.filename);
    if (program_ == Program::kHelpers) return file == kGivenAsText;
    return file != kHelperProgram && !base::IsLibraryPath(file);
  }
  Part PartOf(const format::StackInfo& stack) {
    const size_t parent = stack.parent.value;
    const bool is_first = parent == 0 || !has_python_[parent];
    has_python_.push_back(!is_first || IsPython(stack.frame));
    if (program_ == Program::kToolsFile)
      return has_python_.back() ? Part::kProgram : Part::kOutside;
    if (is_first)
      return has_python_.back() && IsOfProgram(stack.frame) ? Part::kProgram : Part::kOutside;
    if (parts_[parent] == Part::kOutside) return Part::kOutside;
    const bool goes_on =
        parts_[parent] == Part::kProgram && (!IsPython(stack.frame) || IsOfProgram(stack.frame));
    return goes_on ? Part::kProgram : Part::kBelow;
  }

  format::FrameId RenamedFrame(format::FrameId frame) {
    const auto [it, fresh] = frames_.try_emplace(
        frame.value, format::FrameId(static_cast<uint32_t>(profile_.frames.size())));
    if (!fresh) return it->second;
    if (name_ == format::kEmptyString) {
      name_ = format::StringId(static_cast<uint32_t>(profile_.strings.size()));
      profile_.strings.emplace_back(kHelperProgram);
    }
    format::FrameInfo info = profile_.frames[frame.value];
    format::CodeInfo code = profile_.codes[info.code.value];
    code.filename = name_;
    info.code = format::CodeId(static_cast<uint32_t>(profile_.codes.size()));
    profile_.codes.push_back(code);
    profile_.frames.push_back(info);
    return it->second;
  }

  Profile& profile_;
  Program program_;
  std::vector<Part> parts_;  // by StackId, of the stacks of the file
  std::vector<bool> has_python_ = {false};
  std::unordered_map<uint32_t, format::StackId> renamed_;
  std::unordered_map<uint32_t, format::FrameId> frames_;
  format::StringId name_ = format::kEmptyString;
};

void NameProgramsOf(Profile& profile, const std::vector<Program>& programs, Program whose) {
  if (std::ranges::find(programs, whose) == programs.end()) return;
  const auto in_helper = [&](format::ThreadId thread) {
    return programs[profile.threads[thread.value].info.process.value] == whose;
  };
  Namer namer(profile, whose);
  for (size_t i = 0; i < profile.samples.size(); ++i)
    if (in_helper(profile.samples.thread[i]))
      profile.samples.stack[i] = namer.Renamed(profile.samples.stack[i]);
  const auto rename = [&](auto& rows) {
    for (auto& row : rows)
      if (in_helper(row.thread)) row.stack = namer.Renamed(row.stack);
  };
  rename(profile.memory_changes);
  rename(profile.loop_blocks);
  for (format::MemoryPeak& peak : profile.memory_peaks) rename(peak.parts);
  for (format::MemorySurvivors& survivors : profile.memory_survivors) rename(survivors.parts);
  for (Task& task : profile.tasks)
    if (programs[task.info.process.value] == whose) task.origin = namer.Renamed(task.origin);
  for (format::Await& await : profile.awaits)
    if (programs[profile.tasks[await.task.value].info.process.value] == whose)
      await.stack = namer.Renamed(await.stack);
}

}  // namespace

void NameHelperPrograms(Profile& profile) {
  const std::vector<Program> programs = FindPrograms(profile);
  for (const Program whose : {Program::kHelpers, Program::kToolsFile})
    NameProgramsOf(profile, programs, whose);
}

}  // namespace pyrometer::profile
