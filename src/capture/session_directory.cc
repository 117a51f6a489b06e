// SPDX-License-Identifier: Apache-2.0
#include "capture/session_directory.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/statvfs.h>
#include <unistd.h>

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

SessionDirectory::SessionDirectory(std::string path)
    : path_(std::move(path)), watch_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (watch_.valid() && inotify_add_watch(watch_.get(), path_.c_str(), IN_CREATE | IN_MOVED_TO) < 0)
    watch_ = base::ScopedFd();
}

SessionDirectory::SessionDirectory(SessionDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      seen_(std::move(other.seen_)),
      watch_(std::move(other.watch_)),
      pending_(other.pending_) {}

SessionDirectory::~SessionDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

bool SessionDirectory::Changed() const {
  if (!watch_.valid()) return true;
  char events[4096];
  bool any = false;
  while (read(watch_.get(), events, sizeof events) > 0) any = true;
  return any;
}

std::vector<std::string> SessionDirectory::NewRings() {
  std::vector<std::string> fresh;
  if (!Changed() && !pending_) return fresh;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path_.c_str()), closedir);
  if (directory == nullptr) return fresh;
  while (const dirent* entry = readdir(directory.get())) {
    std::string ring = path_ + "/" + entry->d_name;
    if (ring.ends_with(".ring") && !seen_.contains(ring)) fresh.push_back(std::move(ring));
  }
  pending_ = !fresh.empty();
  return fresh;
}

}  // namespace pyrometer::capture
