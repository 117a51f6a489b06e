// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "analyze/build_report.h"
#include "analyze/testing/example_profile.h"
#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_::testing {

using analyze::testing::Exactly;

// Writes a small profile with one of the formats.
class ExchangeTest : public ::testing::Test {
 protected:
  // `write(exchange, out)`.
  template <class Write>
  std::string Written(Write write) const {
    const profile::Profile& profile = profile_.Build();
    const analyze::Report report = analyze::BuildReport(profile, {});
    Exchange exchange(profile, report, {});
    std::ostringstream out;
    write(exchange, out);
    return std::move(out).str();
  }
  template <class Write>
  std::string Written(Write write, const ExchangeOptions& options) const {
    return Written([&](Exchange& from, std::ostream& out) { write(from, options, out); });
  }

  // Two threads, recursion, native code, a wait, and memory:
  //   main:10 > f:3               1 s of Python
  //   main:10 > f:4 > f:3         2 s of Python
  //   main:11 > read [libc.so.6]  4 s of input
  //   main:11 > f:3               8 s of Python, on the thread "worker"
  // Of memory, 4096 bytes at main:10, of which 3500 are live at the peak and 3000 at the end,
  // and 100 copied.
  void AddExample() {
    using enum format::Activity;
    profile_.Add("main:10 > f:3", kPython, 1, 10);
    profile_.Add("main:10 > f:4 > f:3", kPython, 2, 20);
    profile_.Add("main:11 > read [/lib/libc.so.6]", kIoWait, 4, 40);
    profile_.Memory("main:10", format::MemoryKind::kPython, 1, Exactly(4096), Exactly(1096), 3500);
    profile_.Memory("main:10", format::MemoryKind::kCopied, 1, Exactly(100));
    profile_.Peak(1, "main:10", format::MemoryKind::kPython, Exactly(3500));
    profile_.Thread(101, "worker").Add("main:11 > f:3", kPython, 8, 80);
  }

  analyze::testing::ProfileBuilder profile_;
};

}  // namespace pyrometer::export_::testing
