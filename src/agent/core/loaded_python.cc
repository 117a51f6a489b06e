// SPDX-License-Identifier: Apache-2.0
#include "agent/core/loaded_python.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>

namespace pyrometer::agent {
namespace {

bool IsInRuntime(void* library, const void* address) {
  void* runtime = dlsym(library, "_PyRuntime");
  Dl_info info;
  void* entry = nullptr;
  if (runtime == nullptr || dladdr1(runtime, &info, &entry, RTLD_DL_SYMENT) == 0 ||
      entry == nullptr)
    return false;
  const auto offset = reinterpret_cast<uint64_t>(address) - reinterpret_cast<uint64_t>(runtime);
  return offset < static_cast<const ElfW(Sym)*>(entry)->st_size;
}

}  // namespace

void* FindLoadedPython(const void* address) {
  Dl_info info;
  void* map = nullptr;
  if (dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return nullptr;
  // By its name alone: it is loaded already.
  const char* name = static_cast<const link_map*>(map)->l_name;
  if (*name == '\0') return nullptr;  // the executable, which was looked at before main
  void* library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  if (IsInRuntime(library, address)) return library;
  dlclose(library);
  return nullptr;
}

}  // namespace pyrometer::agent
