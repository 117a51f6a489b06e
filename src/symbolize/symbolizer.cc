// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbolizer.h"

#include "symbolize/elf_module.h"

namespace pyrometer::symbolize {

Symbolizer::Symbolizer() = default;
Symbolizer::~Symbolizer() = default;

base::Result<std::vector<SymbolLine>> Symbolizer::Lookup(const std::string& path,
                                                         std::string_view build_id,
                                                         uint64_t address, bool is_return_address,
                                                         Detail detail) {
  Key key(path, build_id);
  auto it = modules_.find(key);
  if (it == modules_.end()) {
    it = modules_.emplace(std::move(key), ElfModule::Open(path, build_id)).first;
  }
  if (!it->second.ok()) return it->second.error();
  return it->second.value()->Lookup(is_return_address ? address - 1 : address, detail);
}

}  // namespace pyrometer::symbolize
