// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>

#include "capture/core/page_reader.h"
#include "capture/probes/memory/memory_ledger.h"
#include "cpython/layout.h"
#include "cpython/object_layout.h"
#include "format/capture_writer.h"
#include "os/remote_memory.h"

namespace pyrometer::capture {

// Finds the types of objects that live for a while, by looking into the process.
// A check may come too late, when the memory already holds another object. That
// does no harm: the record that it was freed is on its way, and takes the
// type along.
//
// Thread-safety: one owner.
class ObjectTypes {
 public:
  ObjectTypes(pid_t pid, const cpython::Layout& layout, MemoryLedger& ledger,
              format::CaptureWriter& writer);

  // A block of CPython's allocators is live since window `window`.
  void Add(uint64_t address, uint64_t number, uint64_t window);
  // Checks some of those that are live since before window `window`.
  void Check(uint64_t window);

 private:
  struct Candidate {
    uint64_t address;
    uint64_t number;
    uint64_t window;
  };

  const cpython::Layout& layout_;
  const cpython::ObjectLayout* objects_;  // nullptr: not known
  MemoryLedger& ledger_;
  format::CaptureWriter& writer_;
  os::RemoteMemory memory_;
  PageReader reader_;
  std::deque<Candidate> candidates_;  // oldest first
};

}  // namespace pyrometer::capture
