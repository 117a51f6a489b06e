// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "os/executable_maps.h"
#include "os/process_symbols.h"

namespace pyrometer::os {

ProcessSymbols::ProcessSymbols(pid_t pid, const RemoteMemory& memory) {
  std::vector<uint64_t> bases;
  for (const ExecutableMap& map : ReadExecutableMaps(pid))
    if (map.base != 0 && std::find(bases.begin(), bases.end(), map.base) == bases.end())
      bases.push_back(map.base);
  for (const uint64_t base : bases) modules_.emplace_back(memory, base);
}

uint64_t ProcessSymbols::Address(const char* name) const {
  for (const Module& module : modules_)
    if (const Module::Symbol found = module.Find(name); found.address != 0) return found.address;
  return 0;
}

uint64_t ProcessSymbols::Size(const char* name) const {
  for (const Module& module : modules_)
    if (const Module::Symbol found = module.Find(name); found.address != 0) return found.size;
  return 0;
}

ProcessSymbols::Range ProcessSymbols::VariablesBeside(const char* name) const {
  for (const Module& module : modules_)
    if (module.Find(name).address != 0) return {module.writable_begin(), module.writable_end()};
  return {};
}

}  // namespace pyrometer::os
