// SPDX-License-Identifier: Apache-2.0
#include "profile/cython_name.h"

#include <algorithm>

namespace pyrometer::profile {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordCharacter(char c) {
  return IsDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool SkipPrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view SkipDigits(std::string_view text) {
  while (!text.empty() && IsDigit(text.front())) text.remove_prefix(1);
  return text;
}

// A scope is written as its length, its name and an underscore: "3Box_".
// Empty when `text` does not begin with one.
std::string_view TakeScope(std::string_view& text) {
  size_t length = 0;
  const std::string_view rest = SkipDigits(text);
  constexpr size_t kMostDigits = 3;
  const size_t digits = text.size() - rest.size();
  if (digits == 0 || digits > kMostDigits) return {};
  for (const char c : text.substr(0, digits)) length = length * 10 + static_cast<size_t>(c - '0');
  if (length == 0 || length >= rest.size() || rest[length] != '_') return {};
  text = rest.substr(length + 1);
  return rest.substr(0, length);
}

size_t FindWord(std::string_view text, std::string_view word, size_t from = 0) {
  for (size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !IsWordCharacter(text[at - 1]);
    const size_t end = at + word.size();
    if (begins && (end == text.size() || !IsWordCharacter(text[end]))) return at;
  }
  return text.npos;
}

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

// "3Box_2area" to "Box.area". Functions of Python get a running number in front
// of their name, so "4calc_sum" may be the function calc_sum or calc's sum.
std::string QualifiedName(std::string_view text, std::string_view source) {
  std::string name;
  constexpr int kMaxScopes = 16;
  for (int i = 0; i < kMaxScopes; ++i) {
    const std::string_view plain = SkipDigits(text);
    std::string_view rest = text;
    const std::string_view scope = TakeScope(rest);
    const bool is_scope =
        !scope.empty() &&
        (source.empty() ? IsUpper(scope.front()) : FindWord(source, plain) == source.npos);
    if (!is_scope) return name + std::string(plain);
    name += std::string(scope) + '.';
    text = rest;
  }
  return name + std::string(text);
}

// The function that a line defines: "cpdef double area(self, long n):" to "area".
// Its name is the word before the first parenthesis.
std::string_view DefinedName(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const bool defines = line.starts_with("def ") || line.starts_with("cdef ") ||
                       line.starts_with("cpdef ") || line.starts_with("async def ");
  size_t end = line.find('(');
  if (!defines || end == line.npos) return {};
  while (end > 0 && line[end - 1] == ' ') --end;
  size_t begin = end;
  while (begin > 0 && IsWordCharacter(line[begin - 1])) --begin;
  // "cdef x = f()" calls one.
  if (line.substr(0, begin).find('=') != line.npos) return {};
  return line.substr(begin, end - begin);
}

}  // namespace

std::optional<CythonName> ParseCythonName(std::string_view symbol, std::string_view stem,
                                          std::string_view source) {
  symbol = symbol.substr(0, symbol.find_first_of("(."));
  if (symbol.starts_with("__pyx_pymod_exec_")) return CythonName{"<module>", false};
  // Variants for different types: "__pyx_fuse_0__pyx_f_…".
  if (std::string_view rest = symbol; SkipPrefix(rest, "__pyx_fuse_")) {
    const size_t inner = rest.find("__pyx_");
    if (inner == rest.npos) return std::nullopt;
    symbol = rest.substr(inner);
  }
  std::string_view text = symbol;
  if (SkipPrefix(text, "__pyx_gb_")) return CythonName{};
  const bool wrapper = SkipPrefix(text, "__pyx_pw_");
  if (!wrapper && !SkipPrefix(text, "__pyx_pf_") && !SkipPrefix(text, "__pyx_f_"))
    return std::nullopt;
  // The packages and the module come first.
  constexpr int kMaxPackages = 16;
  for (int i = 0; i < kMaxPackages; ++i) {
    const std::string_view scope = TakeScope(text);
    if (scope.empty() || scope == stem) break;
  }
  std::string name = QualifiedName(text, source);
  if (name.empty()) return std::nullopt;
  return CythonName{std::move(name), wrapper};
}

Definition FindDefinition(std::string_view source, std::string_view function, uint32_t line) {
  function = function.substr(function.rfind('.') + 1);
  Definition found;
  uint32_t number = 1;
  for (size_t begin = 0; begin < source.size() && number <= line; ++number) {
    const size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view name = DefinedName(source.substr(begin, end - begin));
    if (!name.empty() && (function.empty() || name == function)) found = {number, name};
    begin = end + 1;
  }
  return found;
}

}  // namespace pyrometer::profile
