// SPDX-License-Identifier: Apache-2.0
#include "capture/session_directory.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

namespace pyrometer::capture {
namespace {

// Room for the rings of a good many processes.
constexpr uint64_t kEnoughBytes = uint64_t{32} << 20;

bool HasRoom(const char* directory) {
  struct statvfs info;
  return statvfs(directory, &info) == 0 &&
         uint64_t{info.f_bavail} * uint64_t{info.f_frsize} >= kEnoughBytes;
}

}  // namespace

base::Result<SessionDirectory> SessionDirectory::Create() {
  std::vector<std::string> places;
  if (HasRoom("/dev/shm")) places.emplace_back("/dev/shm");
  if (const char* tmp = getenv("TMPDIR"); tmp != nullptr && *tmp == '/') places.emplace_back(tmp);
  places.emplace_back("/tmp");
  for (const std::string& place : places) {
    std::string path = place + "/pyrometer-XXXXXX";
    if (path.find(';') == std::string::npos && mkdtemp(path.data()) != nullptr)
      return SessionDirectory(path);
  }
  return base::Error{"cannot make a spool directory in " + places.back() + ": " +
                     std::strerror(errno)};
}

SessionDirectory::SessionDirectory(SessionDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), seen_(std::move(other.seen_)) {}

SessionDirectory::~SessionDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> SessionDirectory::NewRings() const {
  std::vector<std::string> fresh;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path_.c_str()), closedir);
  if (directory == nullptr) return fresh;
  while (const dirent* entry = readdir(directory.get())) {
    std::string ring = path_ + "/" + entry->d_name;
    if (ring.ends_with(".ring") && !seen_.contains(ring)) fresh.push_back(std::move(ring));
  }
  return fresh;
}

}  // namespace pyrometer::capture
