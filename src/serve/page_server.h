// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer::serve {

// Serves one page and its data on this machine until nobody looks at it any more.
//
//   ADDRESS         the page
//   ADDRESS/data    what it shows
//   ADDRESS/rest    what of that its first screen does not need
//   ADDRESS/report  what takes longer to add up
//   ADDRESS/base    what it is compared with; 404 without
//   ADDRESS/alive   an answer without end, which the page holds open: where the
//                   last of them has been closed for `grace`, Run ends
//
// Thread-safety: Add and Stop may be called by any thread, all else by the one that owns
// it.
class PageServer {
 public:
  enum class Part { kData, kRest, kReport, kBase };
  struct Options {
    uint16_t port = 0;      // 0: any
    bool has_base = false;  // Part::kBase will come
    std::chrono::milliseconds grace{2000};
    // A connection on which nothing moves for so long is closed, unless the page
    // holds it open.
    std::chrono::milliseconds idle{60'000};
    bool stop_by_signals = true;  // SIGINT and SIGTERM end Run
  };

  // `page` must outlive the server.
  static base::Result<std::unique_ptr<PageServer>> Start(std::string_view page,
                                                         const Options& options);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  // http://127.0.0.1:PORT/SECRET/
  const std::string& address() const;

  // The next piece of a part, which is not empty; `last`: there are no more. Who has asked
  // for the part gets each piece when it comes. The bytes are sent from where they are.
  void Add(Part part, std::string piece, bool last);

  // Answers requests until the page was closed, a signal came, or Stop was called.
  void Run();
  void Stop();

 private:
  class Impl;
  explicit PageServer(std::unique_ptr<Impl> impl);

  const std::unique_ptr<Impl> impl_;
};

}  // namespace pyrometer::serve
