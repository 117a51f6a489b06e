// SPDX-License-Identifier: Apache-2.0
#include "cli/last_run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

namespace pyrometer::cli {
namespace {

std::optional<std::string> FolderVariable(const char* name) {
  const char* value = getenv(name);
  if (value == nullptr || *value != '/') return std::nullopt;
  return value;
}

// Others could put a file of theirs there, or read what is ours.
bool IsOursAlone(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

}  // namespace

base::Status LastRunFolder::Prepare() const {
  const auto cannot = [this](const std::string& why) {
    return base::Error{"cannot write " + file() + ": " + why};
  };
  if (!shared) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return cannot(error.message());
    return {};
  }
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return cannot(std::strerror(errno));
  if (!IsOursAlone(path)) return cannot("the folder is not this user's alone");
  return {};
}

std::vector<LastRunFolder> LastRunFolders() {
  std::vector<LastRunFolder> folders;
  if (const auto state = FolderVariable("XDG_STATE_HOME"))
    folders.push_back({*state + "/pyrometer", false});
  if (const auto home = FolderVariable("HOME"))
    folders.push_back({*home + "/.local/state/pyrometer", false});
  const std::string own_name = "/pyrometer-" + std::to_string(geteuid());
  if (const auto temporary = FolderVariable("TMPDIR"))
    folders.push_back({*temporary + own_name, true});
  folders.push_back({"/tmp" + own_name, true});
  return folders;
}

std::string LastRunPath() {
  const std::vector<LastRunFolder> folders = LastRunFolders();
  std::string newest = folders.front().file();
  timespec newest_time{};
  for (const LastRunFolder& folder : folders) {
    struct stat info;
    if (folder.shared && !IsOursAlone(folder.path)) continue;
    if (stat(folder.file().c_str(), &info) != 0) continue;
    const timespec time = info.st_mtim;
    if (time.tv_sec < newest_time.tv_sec ||
        (time.tv_sec == newest_time.tv_sec && time.tv_nsec <= newest_time.tv_nsec))
      continue;
    newest = folder.file();
    newest_time = time;
  }
  return newest;
}

}  // namespace pyrometer::cli
