// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"

namespace pyrometer::capture {

// The spool directory of one run, in which each profiled process makes its
// ring. In memory (/dev/shm) where possible, so that samples cost no disk
// writes. Removed with the object.
class SessionDirectory {
 public:
  static base::Result<SessionDirectory> Create();
  SessionDirectory(SessionDirectory&& other) noexcept;
  SessionDirectory& operator=(SessionDirectory&&) = delete;
  ~SessionDirectory();

  const std::string& path() const { return path_; }
  // Paths of rings that were not yet marked as seen: a ring that its process
  // has not finished making is asked for again.
  std::vector<std::string> NewRings();
  void MarkSeen(const std::string& ring) { seen_.insert(ring); }

 private:
  explicit SessionDirectory(std::string path);
  // Whether files may have come since the last call.
  bool Changed() const;

  std::string path_;
  std::set<std::string> seen_;
  base::ScopedFd watch_;  // inotify; invalid: not to be had, always look
  bool pending_ = true;   // the last look found rings
};

}  // namespace pyrometer::capture
