// SPDX-License-Identifier: Apache-2.0
#include "analyze/workers/stack_libraries.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "analyze/code/package_name.h"
#include "base/library_path.h"

namespace pyrometer::analyze {
namespace {

using format::FrameKind;

// Of the standard library: what a thread or a module of any kind has on its stack.
constexpr std::string_view kEverywhere[] = {
    "_bootstrap", "_bootstrap_external", "importlib", "queue",
    "runpy",      "selectors",           "threading", "zipimport"};
// Native code that any thread may be in.
constexpr std::string_view kCommon[] = {
    "ld-",        "libc-", "libc.",     "libdl",     "libgcc_s",   "libm-",  "libm.", "libpthread",
    "libpyromet", "librt", "libstdc++", "libpython", "linux-vdso", "python", "[vdso]"};

bool IsCommon(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(kCommon,
                             [&](std::string_view start) { return name.starts_with(start); });
}

// Native code that is in no file was made at run time; the other special frames stand for
// what is not known.
bool IsGeneratedCode(std::string_view name) {
  return name == "<JIT code>" || name == "<unknown native code>";
}

// The package of a library's file, else the file itself.
std::string LibraryOf(std::string_view path) {
  return base::IsLibraryPath(path) ? PackageName(path) : std::string(path);
}

bool Intersect(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    ++(*i < *j ? i : j);
  }
  return false;
}

void SortUnique(std::vector<uint32_t>& numbers) {
  std::ranges::sort(numbers);
  const auto rest = std::ranges::unique(numbers);
  numbers.erase(rest.begin(), rest.end());
}

}  // namespace

StackLibraries::StackLibraries(const profile::Profile& profile) : profile_(profile) {
  std::unordered_map<std::string, uint32_t> numbers;
  const auto number = [&](const std::string& name) {
    return numbers.try_emplace(name, static_cast<uint32_t>(numbers.size() + 1)).first->second;
  };
  std::vector<uint32_t> of_module, of_code;
  for (const format::ModuleInfo& module : profile.modules) {
    const std::string& path = profile.Text(module.path);
    of_module.push_back(IsCommon(path) ? 0 : number(LibraryOf(path)));
  }
  for (const format::CodeInfo& code : profile.codes) {
    const std::string& path = profile.Text(code.filename);
    // The user's own files are no libraries: that two threads run them says nothing.
    const std::string name = base::IsLibraryPath(path) ? PackageName(path) : "";
    const bool everywhere = std::ranges::find(kEverywhere, name) != std::end(kEverywhere);
    of_code.push_back(name.empty() || everywhere ? 0 : number(name));
  }
  for (const format::FrameInfo& frame : profile.frames) {
    switch (frame.kind) {
      case FrameKind::kPython:
        of_frame_.push_back(of_code[frame.code.value]);
        break;
      case FrameKind::kNative:
        of_frame_.push_back(of_module[frame.module.value]);
        break;
      case FrameKind::kSpecial:
        of_frame_.push_back(
            IsGeneratedCode(profile.Text(frame.name)) ? number(profile.Text(frame.name)) : 0);
        break;
    }
  }
}

bool StackLibraries::Share(format::StackId a, format::StackId b) {
  return Intersect(Of(a).all, Of(b).all);
}

bool StackLibraries::ShareNative(format::StackId a, format::StackId b) {
  return Intersect(Of(a).native, Of(b).native);
}

const StackLibraries::Libraries& StackLibraries::Of(format::StackId stack) {
  const auto [it, fresh] = of_stack_.try_emplace(stack.value);
  Libraries& libraries = it->second;
  if (!fresh) return libraries;
  for (; stack != format::kEmptyStack; stack = profile_.stacks[stack.value].parent) {
    const format::FrameId frame = profile_.stacks[stack.value].frame;
    const uint32_t library = of_frame_[frame.value];
    if (library == 0) continue;
    libraries.all.push_back(library);
    if (profile_.frames[frame.value].kind != FrameKind::kPython)
      libraries.native.push_back(library);
  }
  SortUnique(libraries.all);
  SortUnique(libraries.native);
  return libraries;
}

}  // namespace pyrometer::analyze
