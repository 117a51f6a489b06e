// SPDX-License-Identifier: Apache-2.0
#include "export/report/stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyrometer::export_ {
namespace {

using format::FrameInfo;
using format::FrameKind;
using profile::Profile;

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      escaped += "\\\\";
    } else if (byte < 0x20 || byte == 0x7f || c == ';') {
      escaped += fmt::format("\\x{:02x}", byte);
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string NativeText(const Profile& profile, const FrameInfo& frame,
                       const format::SymbolInfo* symbol) {
  const std::string module = Escape(profile.Text(profile.modules[frame.module.value].path));
  const std::string unknown = fmt::format("0x{:x}", frame.address);
  if (symbol == nullptr || symbol->lines.empty()) return fmt::format("{} [{}]", unknown, module);
  std::string text;
  for (auto line = symbol->lines.rbegin(); line != symbol->lines.rend(); ++line) {
    const std::string& name = profile.Text(line->function);
    if (!text.empty()) text += ';';
    text += fmt::format("{} [{}]", name.empty() ? unknown : Escape(name), module);
  }
  return text;
}

std::vector<std::string> FrameTexts(const Profile& profile) {
  std::vector<const format::SymbolInfo*> symbols(profile.frames.size(), nullptr);
  for (const format::SymbolInfo& symbol : profile.symbols) symbols[symbol.frame.value] = &symbol;
  std::vector<std::string> texts;
  for (const FrameInfo& frame : profile.frames) {
    if (frame.kind == FrameKind::kPython) {
      const format::CodeInfo& code = profile.codes[frame.code.value];
      texts.push_back(fmt::format("{} ({}:{})", Escape(profile.Text(code.qualname)),
                                  Escape(profile.Text(code.filename)), frame.line));
    } else if (frame.kind == FrameKind::kNative) {
      texts.push_back(NativeText(profile, frame, symbols[texts.size()]));
    } else {
      texts.push_back(Escape(profile.Text(frame.name)));
    }
  }
  return texts;
}

std::string StackText(const Profile& profile, const std::vector<std::string>& frames,
                      format::StackId stack) {
  std::vector<const std::string*> path;
  for (; stack != format::kEmptyStack; stack = profile.stacks[stack.value].parent) {
    path.push_back(&frames[profile.stacks[stack.value].frame.value]);
  }
  std::string text;
  for (auto frame = path.rbegin(); frame != path.rend(); ++frame) {
    if (!text.empty()) text += ';';
    text += **frame;
  }
  return text;
}

}  // namespace

void WriteStacks(const Profile& profile, std::ostream& out) {
  std::vector<uint64_t> counts(profile.stacks.size());
  std::vector<bool> seen(profile.stacks.size());
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const uint32_t stack = profile.samples.stack[i].value;
    counts[stack] += profile.samples.count[i];
    seen[stack] = true;
  }
  const std::vector<std::string> frames = FrameTexts(profile);
  std::map<std::string, uint64_t> by_text;
  for (uint32_t i = 0; i < counts.size(); ++i) {
    if (seen[i]) by_text[StackText(profile, frames, format::StackId(i))] += counts[i];
  }
  std::vector<std::pair<std::string_view, uint64_t>> rows(by_text.begin(), by_text.end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  for (const auto& [text, count] : rows) out << count << '\t' << text << '\n';
}

}  // namespace pyrometer::export_
