// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/jit_list.h"

#include <set>

#include "capture/stacks/module_cache.h"

namespace pyrometer::capture {
namespace {

constexpr size_t kMaxImages = 1 << 14;
constexpr uint64_t kMaxImageBytes = 16u << 20;
constexpr uint64_t kMaxAllImageBytes = 256u << 20;

// The structures of GDB's JIT interface, as in the process.
struct Descriptor {
  uint32_t version;
  uint32_t action;
  uint64_t relevant;
  uint64_t first;
};
struct Entry {
  uint64_t next;
  uint64_t previous;
  uint64_t image;
  uint64_t image_bytes;
};

// Where a library has its descriptor, from its first byte; 0: nowhere. The
// answer is kept for other processes, which mostly load the same ones.
uint64_t DescriptorOffset(pid_t pid, const std::string& path) {
  static std::map<std::string, uint64_t> known;
  const auto [it, fresh] = known.try_emplace(path);
  if (fresh && RoleOfPath(path) == ModuleRole::kOther) {
    // In the file system that the process sees, which may be a container's.
    constexpr char kName[] = "__jit_debug_descriptor";
    it->second = symbolize::FindVariable("/proc/" + std::to_string(pid) + "/root" + path, kName);
  }
  return it->second;
}

}  // namespace

JitList::JitList(pid_t pid) : pid_(pid), memory_(pid) {}

std::vector<std::unique_ptr<symbolize::JitImage>> JitList::Update(
    std::span<const os::ExecutableMap> maps) {
  Images still;
  image_bytes_ = 0;
  std::set<uint64_t> bases;
  for (const os::ExecutableMap& map : maps) {
    if (map.generated || map.base == 0 || !bases.insert(map.base).second) continue;
    if (const uint64_t offset = DescriptorOffset(pid_, map.path); offset != 0)
      ReadList(map.base + offset, still);
  }
  std::vector<std::unique_ptr<symbolize::JitImage>> gone;
  for (auto& [key, image] : images_)
    if (image != nullptr) gone.push_back(std::move(image));
  images_ = std::move(still);
  return gone;
}

// Moves what is known already over to `still`.
void JitList::ReadList(uint64_t descriptor, Images& still) {
  Descriptor head;
  if (!memory_.Read(descriptor, &head, sizeof head) || head.version != 1) return;
  uint64_t at = head.first;
  while (at != 0 && still.size() < kMaxImages) {
    Entry entry;
    if (!memory_.Read(at, &entry, sizeof entry)) return;
    const Key key(at, entry.image, entry.image_bytes);
    const auto [it, fresh] = still.try_emplace(key);
    if (!fresh) return;  // it is a ring
    if (auto known = images_.extract(key))
      it->second = std::move(known.mapped());
    else
      it->second = ReadImage(entry.image, entry.image_bytes);
    if (it->second != nullptr) image_bytes_ += entry.image_bytes;
    at = entry.next;
  }
}

std::unique_ptr<symbolize::JitImage> JitList::ReadImage(uint64_t address, uint64_t size) {
  if (size > kMaxImageBytes || image_bytes_ + size > kMaxAllImageBytes) return nullptr;
  std::string bytes(size, '\0');
  if (!memory_.Read(address, bytes.data(), size)) return nullptr;
  return symbolize::JitImage::Parse(std::move(bytes));
}

std::vector<symbolize::SymbolLine> JitList::Lookup(uint64_t pc) {
  for (auto& [key, image] : images_)
    if (image != nullptr && image->Contains(pc)) return image->Lookup(pc);
  return {};
}

}  // namespace pyrometer::capture
