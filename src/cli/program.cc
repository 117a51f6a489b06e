// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/recording/environment.h"

namespace pyrometer::cli {
namespace {

bool IsExecutableFile(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

bool HasPythonSuffix(const std::string& name) {
  for (const char* suffix : {".py", ".pyc", ".pyw", ".pyz"})
    if (name.ends_with(suffix)) return true;
  return false;
}

// Whether Python is to run `name`, which `exists` with `mode` or not, whatever
// else may run it.
bool IsScript(const std::string& name, bool exists, mode_t mode) {
  return HasPythonSuffix(name) ||
         (exists && ((!S_ISREG(mode) && !S_ISFIFO(mode)) || !IsExecutableFile(name)));
}

base::Result<std::string> FindPython(const std::string& python) {
  if (!python.empty()) {
    const std::string path = python.find('/') == std::string::npos ? FindOnPath(python) : python;
    if (path.empty() || !IsExecutableFile(path)) return base::Error{"no such Python: " + python};
    return python;
  }
  if (const char* own = getenv(kCallerVariable); own != nullptr && *own != '\0')
    return std::string(own);
  for (const char* name : {"python3", "python"})
    if (!FindOnPath(name).empty()) return std::string(name);
  return base::Error{"no python3 on PATH; name one with --python"};
}

}  // namespace

std::string FindOnPath(const std::string& name) {
  const char* path = getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    std::string directory = rest.substr(0, colon);
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    if (directory.empty()) directory = ".";
    if (std::string file = directory + "/" + name; IsExecutableFile(file)) return file;
  }
  return "";
}

std::string ConfigurationFolder(const std::vector<std::string>& program) {
  namespace fs = std::filesystem;
  struct stat info;
  if (program.empty() || stat(program[0].c_str(), &info) != 0 ||
      !IsScript(program[0], true, info.st_mode))
    return ".";
  std::error_code error;
  const fs::path script = fs::canonical(program[0], error);
  if (error) return ".";
  return S_ISDIR(info.st_mode) ? script.string() : script.parent_path().string();
}

base::Result<std::vector<std::string>> ResolveProgram(const std::vector<std::string>& program,
                                                      const std::string& python) {
  if (program.empty()) return base::Error{"run: name a script to run; see 'pyrometer help run'"};
  const std::string& first = program[0];
  bool by_python = true;
  if (first == "-m" || first == "-c") {
    if (program.size() < 2)
      return base::Error{"run: " + first + (first == "-m" ? " needs a module" : " needs code")};
  } else {
    struct stat info;
    const bool exists = stat(first.c_str(), &info) == 0;
    if (IsScript(first, exists, exists ? info.st_mode : 0)) {
      if (!exists) return base::Error{"cannot read " + first + ": " + std::strerror(errno)};
      if (access(first.c_str(), R_OK) != 0)
        return base::Error{"cannot read " + first + ": " + std::strerror(errno)};
    } else if (first.find('/') != std::string::npos) {
      if (!exists) return base::Error{"cannot run " + first + ": " + std::strerror(errno)};
      by_python = !python.empty();
    } else if (!FindOnPath(first).empty()) {
      by_python = false;
    } else if (!exists) {
      return base::Error{"no script or command '" + first + "'"};
    }
  }
  std::vector<std::string> command;
  if (by_python) {
    auto interpreter = FindPython(python);
    if (!interpreter.ok()) return interpreter.error();
    command.push_back(interpreter.value());
  }
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

}  // namespace pyrometer::cli
