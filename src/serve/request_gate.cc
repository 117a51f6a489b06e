// SPDX-License-Identifier: Apache-2.0
#include "serve/request_gate.h"

#include "serve/secret.h"

namespace pyrometer::serve {
namespace {

constexpr int kForbidden = 403, kNotFound = 404, kMethodNotAllowed = 405;

}  // namespace

bool RequestGate::IsOurHost(std::string_view host) const {
  return host == "127.0.0.1:" + port_ || host == "localhost:" + port_;
}

Answer RequestGate::Ask(bool get_or_head, const char* host, std::string_view path) const {
  if (host == nullptr || !IsOurHost(host)) return {kForbidden};
  if (!path.starts_with('/')) return {kNotFound};
  path.remove_prefix(1);
  const size_t slash = path.find('/');
  if (slash == path.npos || !EqualSecrets(path.substr(0, slash), secret_)) return {kNotFound};
  if (!get_or_head) return {kMethodNotAllowed};
  const std::string_view name = path.substr(slash + 1);
  if (name.empty()) return {200, Resource::kPage};
  if (name == "data") return {200, Resource::kData};
  if (name == "rest") return {200, Resource::kRest};
  if (name == "report") return {200, Resource::kReport};
  if (name == "base") return {200, Resource::kBase};
  if (name == "alive") return {200, Resource::kAlive};
  return {kNotFound};
}

}  // namespace pyrometer::serve
