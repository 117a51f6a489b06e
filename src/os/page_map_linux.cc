// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "os/page_map.h"

namespace pyrometer::os {
namespace {

constexpr uint64_t kPageBytes = 4096;

// PAGEMAP_SCAN of linux/fs.h, which is newer than the headers of many systems.
struct ScanRegion {
  uint64_t start, end, categories;
};
struct ScanRequest {
  uint64_t size, flags, start, end, walk_end, regions, region_count, max_pages;
  uint64_t inverted, all_of, any_of, returned;
};
static_assert(sizeof(ScanRequest) == 96);
constexpr unsigned long kScan = _IOWR('f', 16, ScanRequest);
constexpr uint64_t kPresent = 1 << 3, kSwapped = 1 << 4, kZeroPage = 1 << 5;

// Bytes that both ranges have.
uint64_t Overlap(uint64_t begin, uint64_t end, uint64_t other_begin, uint64_t other_end) {
  const uint64_t from = std::max(begin, other_begin), to = std::min(end, other_end);
  return to > from ? to - from : 0;
}

}  // namespace

PageMap::PageMap(pid_t pid)
    : file_(open(("/proc/" + std::to_string(pid) + "/pagemap").c_str(), O_RDONLY | O_CLOEXEC)) {}

std::optional<uint64_t> PageMap::TakenBytes(uint64_t address, uint64_t bytes) const {
  constexpr uint64_t kEnd = uint64_t{1} << 57;
  if (!file_.valid() || address > kEnd || bytes > kEnd - address) return {};
  uint64_t taken = 0;
  if (scans_) {
    const Answer answer = Scan(address, address + bytes, &taken);
    if (answer == Answer::kKnown) return taken;
    if (answer == Answer::kGone) return {};
    scans_ = false;
  }
  taken = 0;
  if (ReadEntries(address, address + bytes, &taken) != Answer::kKnown) return {};
  return taken;
}

PageMap::Answer PageMap::Scan(uint64_t begin, uint64_t end, uint64_t* taken) const {
  std::array<ScanRegion, 256> regions;
  const uint64_t last = (end + kPageBytes - 1) / kPageBytes * kPageBytes;
  for (uint64_t at = begin / kPageBytes * kPageBytes; at < last;) {
    ScanRequest request{};
    request.size = sizeof request;
    request.start = at;
    request.end = last;
    request.regions = reinterpret_cast<uint64_t>(regions.data());
    request.region_count = regions.size();
    request.inverted = request.all_of = kZeroPage;
    request.any_of = kPresent | kSwapped;
    request.returned = kPresent;
    const int count = ioctl(file_.get(), kScan, &request);
    if (count < 0) return errno == ESRCH ? Answer::kGone : Answer::kNotOffered;
    for (int i = 0; i < count; ++i)
      *taken += Overlap(begin, end, regions[static_cast<size_t>(i)].start,
                        regions[static_cast<size_t>(i)].end);
    if (request.walk_end <= at) return Answer::kNotOffered;
    at = request.walk_end;
  }
  return Answer::kKnown;
}

// Eight bytes for each page. What is very large is looked at in parts.
PageMap::Answer PageMap::ReadEntries(uint64_t begin, uint64_t end, uint64_t* taken) const {
  constexpr uint64_t kEntryTaken = uint64_t{3} << 62;  // present, swapped
  std::array<uint64_t, 4096> entries;
  constexpr uint64_t kPartBytes = entries.size() * kPageBytes;
  constexpr uint64_t kMostParts = 64;
  const uint64_t parts = (end - begin + kPartBytes - 1) / kPartBytes;
  const uint64_t step = std::max<uint64_t>(1, parts / kMostParts);
  uint64_t seen = 0;
  for (uint64_t part = 0; part < parts; part += step) {
    const uint64_t from = begin + part * kPartBytes, to = std::min(end, from + kPartBytes);
    const uint64_t first = from / kPageBytes, last = (to + kPageBytes - 1) / kPageBytes;
    for (uint64_t page = first; page < last;) {
      const size_t wanted = std::min<uint64_t>(entries.size(), last - page);
      const ssize_t got = pread(file_.get(), entries.data(), wanted * sizeof(uint64_t),
                                static_cast<off_t>(page * sizeof(uint64_t)));
      if (got <= 0) return Answer::kGone;
      for (size_t i = 0; i < static_cast<size_t>(got) / sizeof(uint64_t); ++i, ++page)
        if ((entries[i] & kEntryTaken) != 0)
          *taken += Overlap(from, to, page * kPageBytes, (page + 1) * kPageBytes);
    }
    seen += to - from;
  }
  if (seen != 0 && seen < end - begin)
    *taken = static_cast<uint64_t>(static_cast<unsigned __int128>(*taken) * (end - begin) / seen);
  return Answer::kKnown;
}

}  // namespace pyrometer::os
