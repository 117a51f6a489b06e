// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace pyrometer::sigsafe {

// A system call that leaves errno alone: returns the value, or -errno.
// Signal-safety: safe anywhere.
#if defined(__x86_64__)
inline long Syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                    long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
inline long Syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                    long f = 0) {
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = f;
  asm volatile("svc 0"
               : "+r"(x0)
               : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
               : "memory");
  return x0;
}
#else
#error "unsupported architecture"
#endif

template <class T>
long Arg(T* pointer) {
  return static_cast<long>(reinterpret_cast<intptr_t>(pointer));
}

}  // namespace pyrometer::sigsafe
