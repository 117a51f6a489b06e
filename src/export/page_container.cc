// SPDX-License-Identifier: Apache-2.0
#include "export/page_container.h"

namespace pyrometer::export_ {
namespace {

constexpr std::string_view kMagic = "PYROPAGE";
constexpr uint32_t kVersion = 1;

}  // namespace

void PageContainer::Text(std::string name, std::string text) {
  sections_.emplace_back([name = std::move(name), text = std::move(text)](SectionBytes& out) {
    out.Header(name, SectionEncoding::kText, text.size(), text.size());
    out.Bytes(text);
  });
}

void PageContainer::Write(std::ostream& out) const {
  SectionBytes bytes(out);
  bytes.Bytes(kMagic);
  bytes.U32(kVersion);
  bytes.U32(static_cast<uint32_t>(sections_.size()));
  for (const auto& write : sections_) write(bytes);
}

}  // namespace pyrometer::export_
