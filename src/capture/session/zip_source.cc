// SPDX-License-Identifier: Apache-2.0
#include "capture/session/zip_source.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace pyrometer::capture {
namespace {

// APPNOTE.TXT of PKWARE, 4.3: sizes of the fixed parts, and where fields are in them.
constexpr uint32_t kEndMark = 0x06054b50, kEntryMark = 0x02014b50, kLocalMark = 0x04034b50;
constexpr size_t kEndSize = 22, kEntrySize = 46, kLocalSize = 30;
constexpr size_t kMaxComment = 65535;
constexpr size_t kMaxDirectory = size_t{16} << 20;
constexpr uint32_t kStored = 0, kDeflated = 8;

// Number of `size` bytes, the lowest first. REQUIRES: they are there
uint32_t Number(std::string_view bytes, size_t at, size_t size) {
  uint32_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

// An archive on disk; reads of what is not there are empty.
class ZipFile {
 public:
  explicit ZipFile(const std::string& path) : file_(path, std::ios::binary) {
    file_.seekg(0, std::ios::end);
    size_ = file_ ? static_cast<uint64_t>(file_.tellg()) : 0;
  }

  std::optional<std::string> Member(std::string_view name, size_t max_bytes) {
    const std::string directory = Directory();
    for (size_t at = 0; at + kEntrySize <= directory.size();) {
      if (Number(directory, at, 4) != kEntryMark) return std::nullopt;
      const size_t name_size = Number(directory, at + 28, 2);
      const size_t end = at + kEntrySize + name_size + Number(directory, at + 30, 2) +
                         Number(directory, at + 32, 2);
      if (end > directory.size()) return std::nullopt;
      if (std::string_view(directory).substr(at + kEntrySize, name_size) == name)
        return Contents(directory, at, max_bytes);
      at = end;
    }
    return std::nullopt;
  }

 private:
  std::string Read(uint64_t at, uint64_t size) {
    if (at > size_ || size > size_ - at) return {};
    std::string bytes(size, '\0');
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(at));
    file_.read(bytes.data(), static_cast<std::streamsize>(size));
    return file_ ? bytes : std::string();
  }

  // The table of contents. Its offsets count from where the archive begins, which may be
  // behind other bytes: the end of the table tells how many.
  std::string Directory() {
    const uint64_t tail_at = size_ - std::min<uint64_t>(size_, kEndSize + kMaxComment);
    const std::string tail = Read(tail_at, size_ - tail_at);
    for (size_t at = tail.size() < kEndSize ? 0 : tail.size() - kEndSize + 1; at-- > 0;) {
      if (Number(tail, at, 4) != kEndMark) continue;
      const uint64_t size = Number(tail, at + 12, 4), offset = Number(tail, at + 16, 4);
      if (size > kMaxDirectory || offset + size > tail_at + at) return {};
      before_ = tail_at + at - size - offset;
      return Read(before_ + offset, size);
    }
    return {};
  }

  std::optional<std::string> Contents(const std::string& directory, size_t entry,
                                      size_t max_bytes) {
    const uint32_t method = Number(directory, entry + 10, 2);
    const uint64_t packed = Number(directory, entry + 20, 4);
    const uint64_t size = Number(directory, entry + 24, 4);
    const uint64_t local = before_ + Number(directory, entry + 42, 4);
    if (size > max_bytes || packed > max_bytes) return std::nullopt;
    const std::string head = Read(local, kLocalSize);
    if (head.empty() || Number(head, 0, 4) != kLocalMark) return std::nullopt;
    std::string bytes =
        Read(local + kLocalSize + Number(head, 26, 2) + Number(head, 28, 2), packed);
    if (bytes.size() != packed) return std::nullopt;
    if (method == kStored && packed == size) return bytes;
    return method == kDeflated ? Inflated(bytes, size) : std::nullopt;
  }

  static std::optional<std::string> Inflated(std::string& packed, uint64_t size) {
    constexpr int kRawWindow = -15;
    z_stream stream{};
    if (inflateInit2(&stream, kRawWindow) != Z_OK) return std::nullopt;
    std::string text(size, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    const int result = inflate(&stream, Z_FINISH);
    const bool whole = result == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return whole ? std::optional(std::move(text)) : std::nullopt;
  }

  std::ifstream file_;
  uint64_t size_ = 0;
  uint64_t before_ = 0;
};

bool IsRegularFile(const std::string& path) {
  struct stat facts{};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

}  // namespace

std::optional<std::string> ReadZipSource(const std::string& path, size_t max_bytes) {
  for (size_t slash = path.rfind('/'); slash != path.npos && slash != 0;
       slash = path.rfind('/', slash - 1)) {
    const std::string archive = path.substr(0, slash);
    if (!IsRegularFile(archive)) continue;
    return ZipFile(archive).Member(std::string_view(path).substr(slash + 1), max_bytes);
  }
  return std::nullopt;
}

}  // namespace pyrometer::capture
