// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/scoped_fd.h"

namespace pyrometer::serve::testing {

// One connection to a server on this machine, without the politeness of a real client.
// Waits for an answer until it is there; a test that never gets one fails by the time
// limit of its stage.
class HttpClient {
 public:
  // `address` as PageServer has it.
  explicit HttpClient(std::string_view address);

  // The path of the address, and what a browser would say as Host.
  const std::string& path() const { return path_; }
  const std::string& host() const { return host_; }

  void Send(std::string_view bytes) const;
  // A request below the address, with `more` headers.
  void Ask(const std::string& method, const std::string& name, const std::string& more = "") const;
  // Up to the end of the headers.
  std::string ReadHead();
  // So many bytes behind them.
  std::string ReadBody(size_t size);
  // All that comes until the server closes the connection.
  std::string ReadAll();
  // At most `size` bytes of what comes next; "" at the end.
  std::string ReadSome(size_t size);
  void Close() { socket_ = base::ScopedFd(); }

 private:
  std::string path_;
  std::string host_;
  std::string rest_;  // read, but not given out
  base::ScopedFd socket_;
};

}  // namespace pyrometer::serve::testing
