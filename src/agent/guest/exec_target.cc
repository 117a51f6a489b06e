// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/exec_target.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sigsafe/syscall.h"

namespace pyrometer::agent {
namespace {

using sigsafe::Arg;
using sigsafe::Syscall;

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
constexpr std::string_view kLinker = "ld-linux-x86-64.so.2";
#else
constexpr Elf64_Half kMachine = EM_AARCH64;
constexpr std::string_view kLinker = "ld-linux-aarch64.so.1";
#endif

// Scripts whose interpreter is a script; the kernel allows as many.
constexpr int kMaxScripts = 4;
constexpr size_t kHeadBytes = 4096;

bool Inspect(long fd, int depth);

bool InspectFile(const char* path, int depth) {
  const long fd = Syscall(SYS_openat, AT_FDCWD, Arg(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  if (fd < 0) return false;
  // The dynamic linker can be the program: "ld-linux-x86-64.so.2 /path/to/python".
  const size_t length = std::strlen(path);
  const bool is_linker =
      length > kLinker.size() && path[length - kLinker.size() - 1] == '/' &&
      std::memcmp(path + length - kLinker.size(), kLinker.data(), kLinker.size()) == 0;
  const bool takes = is_linker || Inspect(fd, depth);
  Syscall(SYS_close, fd);
  return takes;
}

// "#! /usr/bin/env python3": the first word. Cut in place.
bool InspectScript(char* line, size_t size, int depth) {
  size_t begin = 2;
  while (begin < size && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
  size_t end = begin;
  while (end < size && line[end] != ' ' && line[end] != '\t' && line[end] != '\n') ++end;
  if (end == begin || end == size || depth >= kMaxScripts) return false;
  line[end] = '\0';
  return InspectFile(line + begin, depth + 1);
}

// Whether the program names glibc's dynamic linker, wherever that lies.
bool HasOurLinker(long fd, const Elf64_Ehdr& header) {
  constexpr size_t kMaxHeaders = 64;
  for (size_t i = 0; i < header.e_phnum && i < kMaxHeaders; ++i) {
    Elf64_Phdr segment;
    const auto at = static_cast<long>(header.e_phoff + i * sizeof segment);
    if (Syscall(SYS_pread64, fd, Arg(&segment), sizeof segment, at) != sizeof segment) return false;
    if (segment.p_type != PT_INTERP) continue;
    char name[256];
    if (segment.p_filesz < kLinker.size() + 2 || segment.p_filesz > sizeof name) return false;
    const auto bytes = static_cast<long>(segment.p_filesz);
    if (Syscall(SYS_pread64, fd, Arg(name), bytes, static_cast<long>(segment.p_offset)) != bytes)
      return false;
    const char* last = name + bytes - 1 - kLinker.size();  // it ends with a NUL
    return last[-1] == '/' && std::memcmp(last, kLinker.data(), kLinker.size()) == 0;
  }
  return false;
}

bool Inspect(long fd, int depth) {
  char head[kHeadBytes];
  const long n = Syscall(SYS_pread64, fd, Arg(head), sizeof head, 0);
  if (n < 4) return false;
  if (head[0] == '#' && head[1] == '!') return InspectScript(head, static_cast<size_t>(n), depth);
  Elf64_Ehdr header;
  if (n < static_cast<long>(sizeof header)) return false;
  std::memcpy(&header, head, sizeof header);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == kMachine &&
         header.e_phentsize == sizeof(Elf64_Phdr) && HasOurLinker(fd, header);
}

const char* SearchPath() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "PATH=", 5) == 0) return *entry + 5;
  return "/bin:/usr/bin";
}

}  // namespace

bool TakesAgent(const char* path) { return InspectFile(path, 0); }

bool TakesAgent(int fd) { return Inspect(fd, 0); }

bool TakesAgentOnPath(const char* file) {
  const size_t length = std::strlen(file);
  if (std::memchr(file, '/', length) != nullptr) return TakesAgent(file);
  char path[PATH_MAX];
  for (const char* at = SearchPath();; ++at) {
    size_t folder = 0;
    while (at[folder] != '\0' && at[folder] != ':') ++folder;
    if (folder + length + 2 <= sizeof path) {
      std::memcpy(path, at, folder);
      if (folder != 0) path[folder] = '/';
      std::memcpy(path + folder + (folder != 0 ? 1 : 0), file, length + 1);
      if (Syscall(SYS_faccessat, AT_FDCWD, Arg(path), X_OK) == 0) return TakesAgent(path);
    }
    at += folder;
    if (*at == '\0') return false;
  }
}

}  // namespace pyrometer::agent
