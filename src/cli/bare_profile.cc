// SPDX-License-Identifier: Apache-2.0
#include "cli/bare_profile.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "os/read_file.h"

namespace pyrometer::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "profile";

bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view Stripped(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

bool IsDecorator(std::string_view line) {
  line = Stripped(line);
  if (!line.starts_with('@')) return false;
  line = Stripped(line.substr(1));
  return line.starts_with(kName) &&
         (line.size() == kName.size() ||
          (!IsWordPart(line[kName.size()]) && line[kName.size()] != '.'));
}

bool HasWord(std::string_view line, std::string_view word) {
  for (size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !IsWordPart(line[at - 1])) && (end == line.size() || !IsWordPart(line[end])))
      return true;
  }
  return false;
}

bool IsImport(std::string_view line) {
  line = Stripped(line);
  return (line.starts_with("import ") || line.starts_with("from ")) &&
         HasWord(line.substr(std::min(line.find("import"), line.size())), kName);
}

std::string ReadText(const fs::path& path) {
  constexpr size_t kMaxBytes = 16 << 20;  // what is larger is no source
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "";  // a pipe is for the program to read
  return os::ReadFile(path.string(), kMaxBytes).value_or("");
}

std::string ModuleText(const std::string& name) {
  std::string path = name;
  std::replace(path.begin(), path.end(), '.', '/');
  const std::string text = ReadText(path + ".py");
  return text.empty() ? ReadText(path + "/__main__.py") : text;
}

}  // namespace

bool UsesBareProfile(std::string_view source) {
  bool uses = false;
  while (!source.empty()) {
    const size_t end = std::min(source.find('\n'), source.size());
    const std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    if (IsImport(line)) return false;
    uses = uses || IsDecorator(line);
  }
  return uses;
}

bool ProgramUsesBareProfile(std::vector<std::string> program) {
  // `python3 script.py`: what Python itself is asked to run.
  if (!program.empty() && fs::path(program[0]).filename().string().starts_with("python")) {
    const auto is_switch = [](const std::string& word) {
      return word.starts_with("-") && word != "-m" && word != "-c";
    };
    program.erase(program.begin(), std::find_if_not(program.begin() + 1, program.end(), is_switch));
  }
  if (program.empty()) return false;
  if (program[0] == "-m") return program.size() > 1 && UsesBareProfile(ModuleText(program[1]));
  if (program[0] == "-c") return program.size() > 1 && UsesBareProfile(program[1]);
  std::error_code error;
  const fs::path script = program[0];
  return UsesBareProfile(
      ReadText(fs::is_directory(script, error) ? script / "__main__.py" : script));
}

}  // namespace pyrometer::cli
