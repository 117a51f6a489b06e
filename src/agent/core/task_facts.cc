// SPDX-License-Identifier: Apache-2.0
#include "agent/core/task_facts.h"

#include <fcntl.h>

#include <cstddef>
#include <cstring>

#include "agent/core/session_path.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {
namespace {

using sigsafe::Arg;
using sigsafe::Syscall;

// The beginning of a file about a thread, as a text; empty if it cannot be read.
class TaskFile {
 public:
  TaskFile(uint32_t tid, const char* name) {
    SessionPath path("/proc/self/task/");
    path.Add(uint64_t{tid}).Add("/").Add(name);
    const long fd = Syscall(SYS_openat, AT_FDCWD, Arg(path.text), O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) return;
    const long size = Syscall(SYS_read, fd, Arg(text_), sizeof text_ - 1);
    Syscall(SYS_close, fd);
    text_[size > 0 ? size : 0] = '\0';
  }

  // Behind the first `word`; the end of the text where it is not.
  const char* Behind(const char* word) const {
    const size_t length = std::strlen(word);
    for (const char* at = text_; *at != '\0'; ++at)
      if (std::strncmp(at, word, length) == 0) return at + length;
    return "";
  }

 private:
  char text_[4096] = "";
};

// A number that `text` begins with, behind blanks.
uint64_t Number(const char* text, unsigned base) {
  while (*text == ' ' || *text == '\t') ++text;
  uint64_t number = 0;
  for (;; ++text) {
    const unsigned digit =
        *text >= 'a' ? static_cast<unsigned>(*text - 'a') + 10 : static_cast<unsigned>(*text - '0');
    if (digit >= base) return number;
    number = number * base + digit;
  }
}

}  // namespace

uint64_t QueuedNs(uint32_t tid) {
  // Two numbers: the time on a CPU, and the one that is asked for.
  return Number(TaskFile(tid, "schedstat").Behind(" "), 10);
}

bool HasBlocked(uint32_t tid, int signal_number) {
  // A thread that begins or ends blocks glibc's own signals, too, which a program cannot.
  constexpr int kFirstOfGlibc = 32;
  const uint64_t blocked = Number(TaskFile(tid, "status").Behind("SigBlk:"), 16);
  const auto has = [blocked](int number) { return (blocked >> (number - 1) & 1) != 0; };
  return has(signal_number) && !has(kFirstOfGlibc);
}

ResidentMemory ReadResidentMemory() {
  constexpr uint64_t kKib = 1024;
  const TaskFile status(static_cast<uint32_t>(Syscall(SYS_gettid)), "status");
  return {kKib * Number(status.Behind("VmRSS:"), 10), kKib * Number(status.Behind("VmHWM:"), 10)};
}

TaskList::TaskList()
    : fd_(Syscall(SYS_openat, AT_FDCWD, Arg("/proc/self/task"), O_RDONLY | O_DIRECTORY | O_CLOEXEC,
                  0)) {}

TaskList::~TaskList() {
  if (fd_ >= 0) Syscall(SYS_close, fd_);
}

uint32_t TaskList::Next() {
  for (;;) {
    if (at_ >= size_) {
      at_ = 0;
      size_ = fd_ < 0 ? 0 : Syscall(SYS_getdents64, fd_, Arg(entries_), sizeof entries_);
      if (size_ <= 0) return 0;
    }
    // The kernel's own layout: number, offset, size of the entry (at 16), type, name (at 19).
    const char* entry = entries_ + at_;
    uint16_t size;
    std::memcpy(&size, entry + 16, sizeof size);
    at_ += size;
    if (entry[19] != '.') return static_cast<uint32_t>(Number(entry + 19, 10));
  }
}

}  // namespace pyrometer::agent
