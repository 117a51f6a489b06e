// SPDX-License-Identifier: Apache-2.0
#include "capture/session/control_server.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace pyrometer::capture {
namespace {

constexpr char kName[] = "/control";
constexpr size_t kMaxMessage = 8192;
constexpr size_t kMaxClients = 8;
constexpr int kPatience = 100;  // ticks: about a second
constexpr int kAnswerMs = 20'000;

bool AddressOf(const std::string& session_path, sockaddr_un* address) {
  *address = {};
  address->sun_family = AF_UNIX;
  const std::string path = session_path + kName;
  if (path.size() >= sizeof address->sun_path) return false;
  std::memcpy(address->sun_path, path.c_str(), path.size() + 1);
  return true;
}

// Messages keep their borders, so a request is read whole or not at all.
base::ScopedFd OpenSocket(int flags) {
  return base::ScopedFd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0));
}

const sockaddr* Generic(const sockaddr_un* address) {
  return reinterpret_cast<const sockaddr*>(address);
}

// Asked first, because accept makes a socket and a file before it looks, and throws them away
// when there is nobody: ten times as expensive, a hundred times a second.
bool SomebodyWaits(const base::ScopedFd& listener) {
  pollfd wait{listener.get(), POLLIN, 0};
  return poll(&wait, 1, 0) > 0;
}

}  // namespace

ControlServer::ControlServer(const std::string& session_path) {
  sockaddr_un address;
  if (!AddressOf(session_path, &address)) return;
  base::ScopedFd fd = OpenSocket(SOCK_NONBLOCK);
  // Other users may get through the directory (agent/guest/user_hooks.cc), but not in here.
  if (fd.valid() && bind(fd.get(), Generic(&address), sizeof address) == 0 &&
      chmod(address.sun_path, S_IRUSR | S_IWUSR) == 0 &&
      listen(fd.get(), static_cast<int>(kMaxClients)) == 0)
    listener_ = std::move(fd);
}

void ControlServer::Serve(const Handler& handle) {
  if (!listener_.valid()) return;
  while (clients_.size() < kMaxClients && SomebodyWaits(listener_)) {
    base::ScopedFd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd.valid()) break;
    clients_.push_back({std::move(fd), kPatience});
  }
  std::erase_if(clients_, [&](Client& client) {
    char text[kMaxMessage];
    const ssize_t n = recv(client.fd.get(), text, sizeof text, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return --client.patience <= 0;
    if (n > 0) {
      const std::string answer = handle(std::string(text, static_cast<size_t>(n)));
      send(client.fd.get(), answer.data(), std::min(answer.size(), kMaxMessage), MSG_NOSIGNAL);
    }
    return true;
  });
}

base::Result<std::string> ControlServer::Ask(const std::string& session_path,
                                             const std::string& request) {
  sockaddr_un address;
  const base::ScopedFd fd = OpenSocket(0);
  if (!AddressOf(session_path, &address) || !fd.valid() ||
      connect(fd.get(), Generic(&address), sizeof address) != 0 ||
      send(fd.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0)
    return base::Error{"nobody answers in " + session_path};
  pollfd wait{fd.get(), POLLIN, 0};
  char text[kMaxMessage];
  const ssize_t n = poll(&wait, 1, kAnswerMs) > 0 ? recv(fd.get(), text, sizeof text, 0) : -1;
  if (n <= 0) return base::Error{"no answer from " + session_path};
  return std::string(text, static_cast<size_t>(n));
}

}  // namespace pyrometer::capture
