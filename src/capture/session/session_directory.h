// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"

namespace pyrometer::capture {

// The spool directory of one run, in which each profiled process makes its
// ring. In memory (/dev/shm) where possible, so that samples cost no disk
// writes. Removed with the object; those that killed launchers have left behind
// are removed by the next one when they are a day old.
//
// Processes that were root and have become another user make theirs in a folder of that user
// in it: see agent/guest/user_hooks.cc.
class SessionDirectory {
 public:
  static base::Result<SessionDirectory> Create();
  SessionDirectory(SessionDirectory&& other) noexcept;
  SessionDirectory& operator=(SessionDirectory&&) = delete;
  ~SessionDirectory();

  // Session directories of this user that somebody collects from.
  static std::vector<std::string> FindActive();
  // The capture that the session of another launcher, killed perhaps, was
  // writing; empty when `path` is no session directory.
  static std::string CaptureOf(const std::string& path);

  const std::string& path() const { return path_; }
  // Notes where the capture of this run is, for CaptureOf.
  void SetCapture(const std::string& capture);
  // Removes the directory now.
  void Remove();
  // Paths of rings, oldest first, that were not yet marked as seen: a ring that its process
  // has not finished making is asked for again.
  std::vector<std::string> NewRings();
  // How many processes have found no room for a ring, since the last call. Only
  // up to date after NewRings().
  uint64_t TakeRefused() { return std::exchange(refused_, 0); }
  void MarkSeen(const std::string& ring) { seen_.insert(ring); }

 private:
  explicit SessionDirectory(std::string path);
  // Whether files may have come since the last call.
  bool Changed() const;
  // Adds the rings in `folder` that were not yet marked as seen.
  void FindRings(const std::string& folder, std::vector<std::string>* fresh);
  // Looks into the folder of another user from now on.
  void AddUser(const std::string& folder);

  std::string path_;
  std::set<std::string> seen_;
  std::set<std::string> users_;  // folders of other users
  // Locked for as long as somebody collects: who finds it free need not record.
  base::ScopedFd lock_;
  base::ScopedFd watch_;  // inotify; invalid: not to be had, always look
  bool pending_ = true;   // the last look found rings
  uint64_t refused_ = 0;
};

}  // namespace pyrometer::capture
