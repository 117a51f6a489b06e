// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"

namespace pyrometer::capture {

// The door through which `pyrometer control` talks to a running recording: a
// socket in the session directory, which only its owner may enter. A request is
// one message of text, and so is the answer. Never blocks, and keeps no more
// than a few clients waiting; one that says nothing is sent away.
//
// Thread-safety: one owner.
class ControlServer {
 public:
  using Handler = std::function<std::string(const std::string& request)>;

  // Without a socket, where none can be made, Serve() does nothing.
  explicit ControlServer(const std::string& session_path);

  // Answers whoever has asked since the last call.
  void Serve(const Handler& handle);

  // Sends `request` to the recording of `session_path` and waits a few seconds
  // for the answer.
  static base::Result<std::string> Ask(const std::string& session_path, const std::string& request);

 private:
  struct Client {
    base::ScopedFd fd;
    int patience = 0;  // calls of Serve() that it may still keep silent
  };

  base::ScopedFd listener_;
  std::vector<Client> clients_;
};

}  // namespace pyrometer::capture
