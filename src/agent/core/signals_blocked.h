// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <cstdint>

#include "sigsafe/syscall.h"

namespace pyrometer::agent {

// All signals blocked for as long as it lives. Raw, so that it does not pass
// through our own hooks.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    const uint64_t all = ~uint64_t{0};
    sigsafe::Syscall(SYS_rt_sigprocmask, SIG_SETMASK, sigsafe::Arg(&all), sigsafe::Arg(&old_), 8);
  }
  ~SignalsBlocked() {
    sigsafe::Syscall(SYS_rt_sigprocmask, SIG_SETMASK, sigsafe::Arg(&old_), 0, 8);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  uint64_t old_ = 0;
};

}  // namespace pyrometer::agent
