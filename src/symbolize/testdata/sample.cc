// SPDX-License-Identifier: Apache-2.0
// A library whose functions say where they are; see symbolizer_test.cc.

#define SAMPLE_EXPORT extern "C" __attribute__((visibility("default")))
#define SAMPLE_NOINLINE __attribute__((noinline, visibility("hidden")))
// Keeps a call from being the last thing that its function does.
#define SAMPLE_AFTER_CALL __asm__ volatile("" ::: "memory")

SAMPLE_NOINLINE void* Here() { return __builtin_return_address(0); }

SAMPLE_EXPORT const int inner_line = __LINE__ + 2;
static inline __attribute__((always_inline)) void* Inner() {
  void* here = Here();
  SAMPLE_AFTER_CALL;
  return here;
}

SAMPLE_EXPORT const int outer_line = __LINE__ + 2;
SAMPLE_EXPORT void* Outer() {
  void* here = Inner();
  SAMPLE_AFTER_CALL;
  return here;
}

namespace sample {

template <class T>
struct Box {
  SAMPLE_NOINLINE static void* Where(T) {
    void* here = Here();
    SAMPLE_AFTER_CALL;
    return here;
  }
};

}  // namespace sample

SAMPLE_EXPORT void* InTemplate() {
  void* here = sample::Box<int>::Where(1);
  SAMPLE_AFTER_CALL;
  return here;
}

static __attribute__((noinline)) void* Hidden() {
  void* here = Here();
  SAMPLE_AFTER_CALL;
  return here;
}

SAMPLE_EXPORT void* InHidden() {
  void* here = Hidden();
  SAMPLE_AFTER_CALL;
  return here;
}

// A linker keeps the name of the first within the name of another.
SAMPLE_EXPORT const int named = 1;
SAMPLE_EXPORT const int a_named = 2;
SAMPLE_EXPORT const int b_named = 3;
