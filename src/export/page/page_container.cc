// SPDX-License-Identifier: Apache-2.0
#include "export/page/page_container.h"

#include <algorithm>
#include <deque>
#include <future>
#include <thread>

namespace pyrometer::export_ {
namespace {

constexpr std::string_view kMagic = "PYROPAGE";
constexpr uint32_t kVersion = 1;

std::string Encode(const std::function<void(SectionBytes&)>& write) {
  std::string section;
  SectionBytes bytes(section);
  write(bytes);
  bytes.Flush();
  return section;
}

}  // namespace

void PageContainer::Text(std::string name, std::string text) {
  sections_.emplace_back([name = std::move(name), text = std::move(text)](SectionBytes& out) {
    out.Header(name, SectionEncoding::kText, text.size(), text.size());
    out.Bytes(text);
  });
}

void PageContainer::Write(const std::function<void(std::string piece)>& take) const {
  take(Encode([this](SectionBytes& head) {
    head.Bytes(kMagic);
    head.U32(kVersion);
    head.U32(static_cast<uint32_t>(sections_.size()));
  }));
  const size_t at_a_time = std::max(1u, std::thread::hardware_concurrency());
  std::deque<std::future<std::string>> made;
  for (size_t next = 0; next < sections_.size() || !made.empty();) {
    while (next < sections_.size() && made.size() < at_a_time)
      made.push_back(std::async(std::launch::async, Encode, std::cref(sections_[next++])));
    std::string section = made.front().get();
    made.pop_front();
    take(std::move(section));
  }
}

}  // namespace pyrometer::export_
