// SPDX-License-Identifier: Apache-2.0
#include "serve/page_policy.h"

namespace pyrometer::serve {
namespace {

constexpr std::string_view kElement = "http-equiv=\"Content-Security-Policy\"";
constexpr std::string_view kContent = "content=\"";

std::string_view OwnPolicy(std::string_view page) {
  const size_t element = page.find(kElement);
  if (element == page.npos) return {};
  // The attributes of one element, in either order.
  const size_t open = page.rfind('<', element), close = page.find('>', element);
  if (open == page.npos || close == page.npos) return {};
  const std::string_view attributes = page.substr(open, close - open);
  const size_t content = attributes.find(kContent);
  if (content == attributes.npos) return {};
  const std::string_view value = attributes.substr(content + kContent.size());
  return value.substr(0, value.find('"'));
}

}  // namespace

std::string ContentSecurityPolicy(std::string_view page) {
  std::string_view own = OwnPolicy(page);
  // One line, or the rest of it would be headers of its own.
  if (own.empty() || own.find_first_of("\r\n") != own.npos) own = "default-src 'none'";
  return std::string(own) + "; frame-ancestors 'none'";
}

}  // namespace pyrometer::serve
