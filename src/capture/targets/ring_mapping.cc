// SPDX-License-Identifier: Apache-2.0
#include "capture/targets/ring_mapping.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/scoped_fd.h"

namespace pyrometer::capture {
namespace {

// Mappings of files that another user can cut short, which would kill who reads them. Read by a
// signal handler.
struct Guarded {
  std::atomic<uintptr_t> begin;  // 0: not used
  std::atomic<size_t> bytes;
};
constexpr size_t kMaxGuarded = 4096;
constinit Guarded g_guarded[kMaxGuarded] = {};

// Puts an empty page where the file has none any more.
void OnBusError(int number, siginfo_t* info, void*) {
  constexpr uintptr_t kPage = 4096;
  const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
  for (const Guarded& range : g_guarded) {
    const uintptr_t begin = range.begin.load();
    if (begin == 0 || at - begin >= range.bytes.load()) continue;
    auto* page = reinterpret_cast<void*>(at & ~(kPage - 1));  // NOLINT(performance-no-int-to-ptr)
    if (mmap(page, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
        MAP_FAILED)
      return;
  }
  signal(number, SIG_DFL);  // it is somebody else's, and comes again
}

bool Guard(void* map, size_t bytes) {
  struct sigaction action{};
  action.sa_sigaction = OnBusError;
  action.sa_flags = SA_SIGINFO;
  if (sigaction(SIGBUS, &action, nullptr) != 0) return false;
  for (Guarded& range : g_guarded) {
    if (range.begin.load() != 0) continue;
    range.bytes = bytes;
    range.begin = reinterpret_cast<uintptr_t>(map);
    return true;
  }
  return false;
}

void Unguard(const void* map) {
  for (Guarded& range : g_guarded)
    if (range.begin.load() == reinterpret_cast<uintptr_t>(map)) range.begin = 0;
}

}  // namespace

std::optional<RingMapping> RingMapping::Open(const std::string& path) {
  // The folder may be another user's, who may put anything there.
  const base::ScopedFd fd(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info;
  if (!fd.valid() || fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  const auto bytes = static_cast<uint64_t>(info.st_size);
  if (bytes <= transport::kHeaderBytes) return std::nullopt;
  void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (map == MAP_FAILED) return std::nullopt;
  const auto* header = static_cast<const transport::RingHeader*>(map);
  const bool ready = header->magic.load(std::memory_order_acquire) == transport::kRingMagic;
  const uint64_t ring_bytes = bytes - transport::kHeaderBytes;
  if (!ready || header->version != transport::kRingVersion || !std::has_single_bit(ring_bytes) ||
      header->ring_bytes != ring_bytes) {
    munmap(map, bytes);
    return std::nullopt;
  }
  if (info.st_uid != geteuid() && !Guard(map, bytes)) {
    munmap(map, bytes);
    return std::nullopt;
  }
  return RingMapping(map, bytes, ring_bytes, info.st_uid);
}

RingMapping::RingMapping(void* map, size_t bytes, uint64_t ring_bytes, uid_t owner)
    : map_(map),
      bytes_(bytes),
      owner_(owner),
      header_(static_cast<transport::RingHeader*>(map)),
      reader_(header_, static_cast<uint8_t*>(map) + transport::kHeaderBytes, ring_bytes) {}

RingMapping::RingMapping(RingMapping&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)),
      bytes_(other.bytes_),
      owner_(other.owner_),
      header_(other.header_),
      reader_(other.reader_) {}

RingMapping::~RingMapping() {
  if (map_ == nullptr) return;
  Unguard(map_);
  munmap(map_, bytes_);
}

}  // namespace pyrometer::capture
