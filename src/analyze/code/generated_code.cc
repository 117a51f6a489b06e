// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/generated_code.h"

#include <algorithm>
#include <span>

namespace pyrometer::analyze {
namespace {

// IPython, the prompts of Python, code.interact, IDLE, bpython and ptpython, doctest.
constexpr std::string_view kTyped[] = {"<ipython-input-", "<python-input-", "<stdin",   "<console>",
                                       "<pyshell#",       "<input>",        "<doctest "};

// The last five: numpy before 1.25, decorator, makefun, sympy, and profile::kHelperProgram.
constexpr std::string_view kUnreadable[] = {
    "<string>",        "<attrs generated", "<__array_function__ internals>",
    "<decorator-gen-", "<makefun-gen-",    "<lambdifygenerated-",
    "<-c of "};

bool StartsWithAny(std::string_view path, std::span<const std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return path.starts_with(beginning); });
}

bool IsWordPart(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

bool IsMadeOfText(std::string_view path) {
  return path.starts_with('<') && !path.starts_with("<frozen ");
}

bool IsTyped(std::string_view path) { return StartsWithAny(path, kTyped); }

bool IsUnreadable(std::string_view path) { return StartsWithAny(path, kUnreadable); }

bool Mentions(std::string_view name, std::string_view package) {
  if (package.empty()) return false;
  for (size_t at = name.find(package); at != name.npos; at = name.find(package, at + 1)) {
    const size_t end = at + package.size();
    const bool begins = at == 0 || !IsWordPart(name[at - 1]);
    if (begins && (end == name.size() || !IsWordPart(name[end]))) return true;
  }
  return false;
}

}  // namespace pyrometer::analyze
