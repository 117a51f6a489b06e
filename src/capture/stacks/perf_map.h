// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/scoped_fd.h"

namespace pyrometer::capture {

// Names of code that a process has generated, in the order in which it tells
// them: "START SIZE name" for each line, numbers in hex. A later entry replaces
// what it overlaps. Bounded, whatever the text is.
//
// Thread-safety: one owner.
class PerfMapText {
 public:
  static constexpr size_t kMaxEntries = 1 << 20;
  static constexpr size_t kMaxNameBytes = 512;
  static constexpr size_t kMaxLineBytes = 4096;

  // The next part of the text; a line may begin in one part and end in a later.
  void Add(std::string_view text);
  // Null: not known.
  const std::string* Find(uint64_t pc) const;
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    uint64_t end;
    std::string name;
  };
  void AddLine(std::string_view line);

  std::map<uint64_t, Entry> entries_;  // by start; they do not overlap
  std::string open_line_;
  bool skipping_ = false;  // a line that is too long
};

// The file /tmp/perf-PID.map of a process, as it grows. It lies where anybody
// may write, so it counts only as a regular file of the process's own user that
// was written since the process began.
//
// Thread-safety: one owner.
class PerfMap {
 public:
  // `start_unix_ns`: when the process began, by the wall clock.
  PerfMap(pid_t pid, uint64_t start_unix_ns);

  // Reads what has come since the last call, as far as there is room.
  void Update();
  const std::string* Find(uint64_t pc) const { return text_.Find(pc); }

 private:
  bool Open();

  uint64_t start_unix_ns_;
  uid_t owner_;
  std::string path_;           // as the launcher sees it
  std::string path_in_place_;  // in the file system that the process sees
  base::ScopedFd file_;
  off_t read_ = 0;
  PerfMapText text_;
};

}  // namespace pyrometer::capture
