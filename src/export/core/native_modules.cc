// SPDX-License-Identifier: Apache-2.0
#include "export/core/native_modules.h"

namespace pyrometer::export_ {
namespace {

std::string Hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

}  // namespace

NativeModules::NativeModules(Exchange& from) {
  std::map<uint32_t, std::string_view> build_ids;  // by path
  for (const format::ModuleInfo& module : from.profile().modules)
    build_ids[from.texts().Number(from.profile().Text(module.path))] = module.build_id;
  for (const Exchange::Function& function : from.functions()) {
    if (function.kind != Exchange::Kind::kNative) continue;
    const auto number = static_cast<uint32_t>(modules_.size() + 1);
    if (numbers_.try_emplace(function.file, number).second)
      modules_.push_back({function.file, Hex(build_ids[function.file])});
  }
}

uint32_t NativeModules::NumberOf(const Exchange::Function& function) const {
  if (function.kind != Exchange::Kind::kNative) return 0;
  return numbers_.at(function.file);
}

}  // namespace pyrometer::export_
