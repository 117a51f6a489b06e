// SPDX-License-Identifier: Apache-2.0
#include "serve/testing/http_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace pyrometer::serve::testing {

HttpClient::HttpClient(std::string_view address)
    : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  address.remove_prefix(std::string_view("http://").size());
  const size_t slash = address.find('/');
  host_ = address.substr(0, slash);
  path_ = address.substr(slash);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<uint16_t>(std::atoi(host_.substr(host_.find(':') + 1).c_str())));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of sockets
  EXPECT_EQ(connect(socket_.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
}

void HttpClient::Send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the server has had enough; what it says is read later
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

void HttpClient::Ask(const std::string& method, const std::string& name,
                     const std::string& more) const {
  Send(method + " " + path_ + name + " HTTP/1.1\r\nHost: " + host_ + "\r\n" + more + "\r\n");
}

std::string HttpClient::ReadSome(size_t size) {
  if (rest_.empty()) {
    std::string bytes(65536, '\0');
    const ssize_t got = read(socket_.get(), bytes.data(), std::min(size, bytes.size()));
    rest_ = bytes.substr(0, got <= 0 ? 0 : static_cast<size_t>(got));
  }
  std::string some = rest_.substr(0, size);
  rest_.erase(0, some.size());
  return some;
}

std::string HttpClient::ReadHead() {
  std::string head;
  while (!head.ends_with("\r\n\r\n")) {
    const std::string byte = ReadSome(1);
    if (byte.empty()) break;
    head += byte;
  }
  return head;
}

std::string HttpClient::ReadBody(size_t size) {
  std::string body;
  while (body.size() < size) {
    const std::string more = ReadSome(size - body.size());
    if (more.empty()) break;
    body += more;
  }
  return body;
}

std::string HttpClient::ReadAll() {
  std::string all;
  for (std::string more = ReadSome(65536); !more.empty(); more = ReadSome(65536)) all += more;
  return all;
}

}  // namespace pyrometer::serve::testing
