// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>

#include "capture/core/page_reader.h"
#include "cpython/layout.h"
#include "os/remote_memory.h"

namespace pyrometer::capture {

// Reads what a program calls its threads, from outside.
// Thread-safety: one owner.
class NameReader {
 public:
  NameReader(pid_t pid, uint64_t runtime, const cpython::Layout& layout);

  // By pthread_self(), of a process that has about so many threads. `now_ns`: of any clock.
  std::map<uint64_t, std::string> Read(size_t threads, uint64_t now_ns);

 private:
  uint64_t runtime_;
  const cpython::Layout& layout_;
  os::RemoteMemory memory_;
  PageReader reader_;
  PageReader::Pages pages_;  // that the last call has needed
  uint64_t dict_ = 0;        // where the program keeps its threads; 0: not known
  uint64_t dict_until_ns_ = 0;
};

}  // namespace pyrometer::capture
