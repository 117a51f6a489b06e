// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

#include "format/block_source.h"

namespace pyrometer::format {

// The blocks of a source, made by a thread of its own while the owner uses those before:
// of a large file, to decode samples takes as long as to keep them.
//
// Invariants: the thread fills places[filled % kPlaces], the owner looks at
// places[used % kPlaces]; used <= filled <= used + kPlaces.
// Thread-safety: one owner, who leaves `source` alone, but for SkipContents, until this is
// gone.
class ReadAhead {
 public:
  explicit ReadAhead(BlockSource& source) : source_(source), thread_([this] { Run(); }) {}
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The next block, valid until the next call; nullptr at the end of the file.
  const ContentBlock* Next();

 private:
  static constexpr size_t kPlaces = 4;

  void Run();

  BlockSource& source_;
  std::array<ContentBlock, kPlaces> places_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t filled_ = 0;       // under mutex_
  size_t used_ = 0;         // under mutex_
  bool at_end_ = false;     // under mutex_: no more will be filled
  bool stopped_ = false;    // under mutex_: the owner wants no more
  bool holds_one_ = false;  // of the owner: it looks at places[used]
  std::thread thread_;
};

}  // namespace pyrometer::format
