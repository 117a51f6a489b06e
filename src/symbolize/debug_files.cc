// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <vector>

#include "symbolize/build_id.h"

namespace pyrometer::symbolize {
namespace {

constexpr char kDebugRoot[] = "/usr/lib/debug";

// The CRC of .gnu_debuglink: the usual reflected polynomial of Ethernet.
uint32_t CrcOf(int fd) {
  static const std::array<uint32_t, 256> kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0);
      table[i] = value;
    }
    return table;
  }();
  uint32_t crc = ~0u;
  std::vector<uint8_t> buffer(1 << 16);
  for (off_t offset = 0;;) {
    const ssize_t size = pread(fd, buffer.data(), buffer.size(), offset);
    if (size <= 0) return ~crc;
    for (ssize_t i = 0; i < size; ++i) {
      crc = kTable[(crc ^ buffer[static_cast<size_t>(i)]) & 0xff] ^ (crc >> 8);
    }
    offset += size;
  }
}

base::ScopedFd Open(const std::string& path) {
  return base::ScopedFd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

// By build id wherever both files have one: comparing checksums reads the
// whole file, which is large.
bool BelongsTo(const std::string& candidate, int fd, std::string_view build_id, uint32_t crc) {
  const base::Result<std::string> id = ReadBuildId(candidate);
  if (!id.ok()) return false;
  if (!build_id.empty() && !id.value().empty()) return id.value() == build_id;
  return CrcOf(fd) == crc;
}

}  // namespace

std::string DebugPathOf(std::string_view build_id) {
  const std::string hex = BuildIdToHex(build_id);
  if (hex.size() < 4) return "";
  return std::string(kDebugRoot) + "/.build-id/" + hex.substr(0, 2) + "/" + hex.substr(2) +
         ".debug";
}

base::ScopedFd OpenDebugFile(const std::string& path, std::string_view build_id, const char* link,
                             uint32_t crc, std::string* found) {
  if (const std::string by_id = DebugPathOf(build_id); !by_id.empty()) {
    base::ScopedFd fd = Open(by_id);
    if (fd.valid() && BelongsTo(by_id, fd.get(), build_id, 0)) {
      *found = by_id;
      return fd;
    }
  }
  if (link == nullptr || link[0] == 0) return {};
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  if (error) return {};
  const std::filesystem::path folder = file.parent_path();
  // The link is a bare file name; anything else is not followed.
  const std::filesystem::path name = std::filesystem::path(link).filename();
  for (const auto& candidate :
       {folder / name, folder / ".debug" / name, kDebugRoot / folder.relative_path() / name}) {
    if (candidate == file) continue;
    base::ScopedFd fd = Open(candidate);
    if (fd.valid() && BelongsTo(candidate, fd.get(), build_id, crc)) {
      *found = candidate;
      return fd;
    }
  }
  return {};
}

}  // namespace pyrometer::symbolize
