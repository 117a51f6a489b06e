// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/module_cache.h"

#include <cstring>

#include "symbolize/build_id.h"

namespace pyrometer::capture {

ModuleRole RoleOfPath(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  for (std::string_view system : {"libc.so", "libc-", "libm.so", "libm-", "ld-linux", "ld-2",
                                  "libpthread", "libdl.so", "librt.so", "linux-vdso", "ld-musl"})
    if (name.starts_with(system)) return ModuleRole::kSystem;
  return ModuleRole::kOther;
}

bool ModuleCache::Define(std::span<const uint8_t> bytes) {
  transport::ModuleRecord record;
  if (bytes.size() < sizeof record) return false;
  std::memcpy(&record, bytes.data(), sizeof record);
  if (record.path_bytes > bytes.size() - sizeof record) return false;
  const std::string path(reinterpret_cast<const char*>(bytes.data() + sizeof record),
                         record.path_bytes);
  const auto build_id = symbolize::ReadBuildId(path);
  Module module;
  module.bias = record.bias;
  module.role = record.is_agent != 0     ? ModuleRole::kAgent
                : record.is_runtime != 0 ? ModuleRole::kRuntime
                                         : RoleOfPath(path);
  module.id = table_.Module(path, build_id.ok() ? build_id.value() : std::string(),
                            module.role != ModuleRole::kOther);
  modules_[record.slot] = module;
  return true;
}

ModuleRole ModuleCache::RoleOf(uint32_t slot) const {
  const auto it = modules_.find(slot);
  return it == modules_.end() ? ModuleRole::kOther : it->second.role;
}

format::FrameId ModuleCache::FrameAt(uint32_t slot, uint64_t pc, bool is_leaf) {
  const auto it = modules_.find(slot);
  // Generated at run time, or of a library that is gone.
  if (it == modules_.end()) return table_.SpecialFrame("<unknown native code>");
  return table_.NativeFrame(it->second.id, (is_leaf ? pc : pc - 1) - it->second.bias);
}

}  // namespace pyrometer::capture
