// SPDX-License-Identifier: Apache-2.0
#include "capture/session/session_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/record_options.h"

namespace pyrometer::capture {
namespace {

// Room for the rings of a good many processes.
constexpr uint64_t kEnoughBytes = uint64_t{32} << 20;

bool HasRoom(const char* directory) {
  struct statvfs info;
  return statvfs(directory, &info) == 0 &&
         uint64_t{info.f_bavail} * uint64_t{info.f_frsize} >= kEnoughBytes;
}

constexpr char kCaptureLink[] = "capture";
constexpr char kNamePrefix[] = "pyrometer-";
constexpr auto kKeepAbandoned = std::chrono::hours(24);

std::vector<std::string> FilePlaces() {
  std::vector<std::string> places;
  if (const char* tmp = getenv("TMPDIR"); tmp != nullptr && *tmp == '/') places.emplace_back(tmp);
  places.emplace_back("/tmp");
  places.emplace_back("/var/tmp");
  if (const char* own = getenv("XDG_RUNTIME_DIR"); own != nullptr && *own == '/')
    places.emplace_back(own);
  return places;
}

// A session directory of this user.
bool IsSession(const std::filesystem::path& path) {
  struct stat info;
  return path.filename().string().starts_with(kNamePrefix) && lstat(path.c_str(), &info) == 0 &&
         S_ISDIR(info.st_mode) && info.st_uid == getuid();
}

// Whether anybody collects from it. Empty: it is no session directory.
std::optional<bool> IsTaken(const std::filesystem::path& path) {
  const base::ScopedFd lock(open((path / base::kLockFile).c_str(), O_RDWR | O_CLOEXEC));
  if (!lock.valid()) return std::nullopt;
  return flock(lock.get(), LOCK_EX | LOCK_NB) != 0;
}

bool IsAbandoned(const std::filesystem::path& path) {
  std::error_code error;
  if (!IsSession(path)) return false;
  const auto age =
      std::filesystem::file_time_type::clock::now() - std::filesystem::last_write_time(path, error);
  return !error && age >= kKeepAbandoned && IsTaken(path) == false;
}

void RemoveAbandoned(const std::string& place) {
  std::error_code ignored;
  std::vector<std::filesystem::path> abandoned;
  for (const auto& entry : std::filesystem::directory_iterator(place, ignored))
    if (IsAbandoned(entry.path())) abandoned.push_back(entry.path());
  for (const auto& path : abandoned) std::filesystem::remove_all(path, ignored);
}

}  // namespace

std::vector<std::string> SessionDirectory::FindActive() {
  std::vector<std::string> active;
  std::error_code ignored;
  std::set<std::string> places = {"/dev/shm"};
  for (const std::string& place : FilePlaces()) places.insert(place);
  for (const std::string& place : places)
    for (const auto& entry : std::filesystem::directory_iterator(place, ignored))
      if (IsSession(entry.path()) && IsTaken(entry.path()) == true) active.push_back(entry.path());
  return active;
}

base::Result<SessionDirectory> SessionDirectory::Create() {
  std::vector<std::string> places = FilePlaces();
  if (HasRoom("/dev/shm")) places.insert(places.begin(), "/dev/shm");
  std::string trouble;
  for (const std::string& place : places) {
    RemoveAbandoned(place);
    std::string path = place + "/" + kNamePrefix + "XXXXXX";
    // The name must be an option's value.
    if (path.find(';') != std::string::npos || path.size() >= base::RecordOptions::kMaxPath)
      continue;
    if (mkdtemp(path.data()) != nullptr) return SessionDirectory(path);
    trouble = "cannot make a spool directory in " + place + ": " + std::strerror(errno);
  }
  return base::Error{trouble};
}

std::string SessionDirectory::CaptureOf(const std::string& path) {
  std::error_code error;
  return std::filesystem::read_symlink(path + "/" + kCaptureLink, error).string();
}

void SessionDirectory::SetCapture(const std::string& capture) {
  std::error_code ignored;
  const std::string link = path_ + "/" + kCaptureLink;
  std::filesystem::remove(link, ignored);
  std::filesystem::create_symlink(std::filesystem::absolute(capture, ignored), link, ignored);
}

SessionDirectory::SessionDirectory(std::string path)
    : path_(std::move(path)),
      lock_(open((path_ + "/" + base::kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)),
      watch_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (lock_.valid()) flock(lock_.get(), LOCK_EX);
  if (watch_.valid() && inotify_add_watch(watch_.get(), path_.c_str(), IN_CREATE | IN_MOVED_TO) < 0)
    watch_ = base::ScopedFd();
}

SessionDirectory::SessionDirectory(SessionDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      seen_(std::move(other.seen_)),
      users_(std::move(other.users_)),
      lock_(std::move(other.lock_)),
      watch_(std::move(other.watch_)),
      pending_(other.pending_),
      refused_(other.refused_) {}

SessionDirectory::~SessionDirectory() { Remove(); }

void SessionDirectory::Remove() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  path_.clear();
}

bool SessionDirectory::Changed() const {
  if (!watch_.valid()) return true;
  char events[4096];
  bool any = false;
  while (read(watch_.get(), events, sizeof events) > 0) any = true;
  return any;
}

void SessionDirectory::FindRings(const std::string& folder, std::vector<std::string>* fresh) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(folder.c_str()), closedir);
  if (directory == nullptr) return;
  while (const dirent* entry = readdir(directory.get())) {
    std::string ring = folder + "/" + entry->d_name;
    if (ring.ends_with(base::kRefusedSuffix) && unlink(ring.c_str()) == 0)
      ++refused_;
    else if (ring.ends_with(base::kRingSuffix) && !seen_.contains(ring))
      fresh->push_back(std::move(ring));
    else if (folder == path_ && std::isdigit(entry->d_name[0]) != 0 && entry->d_type == DT_DIR)
      AddUser(ring);
  }
}

void SessionDirectory::AddUser(const std::string& folder) {
  if (!users_.insert(folder).second || !watch_.valid()) return;
  if (inotify_add_watch(watch_.get(), folder.c_str(), IN_CREATE | IN_MOVED_TO) < 0)
    watch_ = base::ScopedFd();
}

std::vector<std::string> SessionDirectory::NewRings() {
  std::vector<std::string> fresh;
  if (!Changed() && !pending_) return fresh;
  FindRings(path_, &fresh);
  for (const std::string& folder : users_) FindRings(folder, &fresh);
  pending_ = !fresh.empty();
  // A process that has become another program has two: they must not change
  // places. The time is what a name ends with.
  std::ranges::sort(fresh, [](const std::string& a, const std::string& b) {
    const size_t a_time = a.size() - a.rfind('-'), b_time = b.size() - b.rfind('-');
    if (a_time != b_time) return a_time < b_time;
    return a.compare(a.size() - a_time, a_time, b, b.size() - b_time, b_time) < 0;
  });
  return fresh;
}

}  // namespace pyrometer::capture
