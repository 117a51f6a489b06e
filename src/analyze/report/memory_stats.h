// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "analyze/stats/interval.h"
#include "format/records.h"

namespace pyrometer::analyze {

// Bytes that samples stand for, and how well they are known.
struct MemorySum {
  uint64_t bytes = 0;
  uint64_t blocks = 0;
  uint64_t samples = 0;
  // Of `bytes`, if marks had fallen anywhere; 0: known exactly.
  double variance = 0;
  // The same of all that was allocated beside it, where each piece of that has one mark: what is a
  // large part of it scatters less. 0: marks fell anywhere.
  double whole_variance = 0;

  void Add(const format::MemoryAmount& amount);
  // What is taken away is a part of what was added; a damaged file may say
  // otherwise, then nothing is left.
  void Remove(const format::MemoryAmount& amount);
  void Add(const MemorySum& other);
  bool empty() const { return bytes == 0 && samples == 0; }
  // The 95 % interval in bytes: docs/internals/memory-math.md.
  Interval Range() const;
  // As a capture has it.
  format::MemoryAmount amount() const;
};

// Bytes as a whole number; of values beyond its range, the nearest there is.
uint64_t WholeBytes(double bytes);

// Kinds of memory that can be live: all but copies.
inline constexpr size_t kLiveKindCount = 3;

// Memory by where it came from.
struct MemoryByKind {
  std::array<MemorySum, kLiveKindCount> kinds;

  MemorySum& operator[](format::MemoryKind kind) { return kinds[static_cast<size_t>(kind)]; }
  const MemorySum& operator[](format::MemoryKind kind) const {
    return kinds[static_cast<size_t>(kind)];
  }
  const MemorySum& python() const { return kinds[0]; }
  // malloc and mmap together.
  MemorySum native() const;
  MemorySum all() const;
  uint64_t bytes() const { return kinds[0].bytes + kinds[1].bytes + kinds[2].bytes; }
  bool empty() const { return kinds[0].empty() && kinds[1].empty() && kinds[2].empty(); }
  void Add(const MemoryByKind& other);
};

// The memory of one line, function, file, thread or view.
struct MemoryStats {
  MemoryByKind allocated;  // in all, also what was freed at once
  MemorySum copied;
  MemorySum copied_by_element;  // the part of it that no memcpy has moved
  MemoryByKind at_peak;         // live when the view had most in use
  MemoryByKind at_end;          // live at the end of each process
  // Most bytes live at once, as far as it was seen: the largest of its sums at
  // the ends of windows and at the view's peak, and of the most that any
  // single place of it had. Never too much; see docs/internals/memory-math.md.
  uint64_t own_peak_bytes = 0;
  uint64_t average_bytes = 0;      // live, over the time of the view
  std::vector<uint64_t> timeline;  // most bytes live in equal parts of the view's time;
                                   // of `scoped` rows and of views only

  bool empty() const { return allocated.empty() && copied.empty() && at_peak.empty(); }
  // Of all that the view has allocated, and copied.
  void SetWholeVariances(double all_allocated, double all_copied);
  // Allocates and copies about as many bytes: what it makes is a copy.
  bool CopiesWhatItAllocates() const;
};

// The memory of a row, as the three breakdowns of time: see report.h. Shared by copies of it. What
// a row has none of takes no room: most rows are callers, which have a total and nothing else.
class MemoryRow {
 public:
  enum Part : uint8_t { kSelf, kScoped, kTotal };

  // Has something, be it nothing that counts.
  explicit operator bool() const { return parts_[kSelf] || parts_[kScoped] || parts_[kTotal]; }
  bool empty() const { return self().empty() && scoped().empty() && total().empty(); }
  const MemoryStats& self() const { return Get(kSelf); }
  const MemoryStats& scoped() const { return Get(kScoped); }
  const MemoryStats& total() const { return Get(kTotal); }
  // Made where there was none. REQUIRES: the row was not copied yet.
  MemoryStats& At(Part part) {
    if (parts_[part] == nullptr) parts_[part] = std::make_shared<MemoryStats>();
    return *parts_[part];
  }

 private:
  const MemoryStats& Get(Part part) const;

  std::array<std::shared_ptr<MemoryStats>, 3> parts_;
};

}  // namespace pyrometer::analyze
