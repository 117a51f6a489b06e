// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pyrometer::serve {

// What a request asks for, or the status with which it is turned away.
enum class Resource { kPage, kData, kRest, kReport, kBase, kAlive };
struct Answer {
  int status = 200;
  std::optional<Resource> resource{};  // of status 200

  friend bool operator==(const Answer&, const Answer&) = default;
};

// Decides about requests: only those of a browser that knows the secret and means
// this server by its own name.
// Thread-safety: immutable after construction.
class RequestGate {
 public:
  RequestGate(std::string secret, uint16_t port)
      : secret_(std::move(secret)), port_(std::to_string(port)) {}

  // `host` as the header says, nullptr: none. `path` without query.
  Answer Ask(bool get_or_head, const char* host, std::string_view path) const;

 private:
  bool IsOurHost(std::string_view host) const;

  const std::string secret_;
  const std::string port_;
};

}  // namespace pyrometer::serve
