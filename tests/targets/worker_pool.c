// SPDX-License-Identifier: Apache-2.0
// Two threads that work for their caller, which takes part in the work or waits for its end.
#include <pthread.h>

enum { kThreads = 2 };

static volatile unsigned sink;

static void Work(long rounds) {
  unsigned x = 1;
  for (long i = 0; i < rounds; ++i) x = x * 31 + (unsigned)i;
  sink = x;
}

void team(long rounds) {
#pragma omp parallel num_threads(kThreads)
  Work(rounds);
}

static void* Run(void* rounds) {
  Work(*(long*)rounds);
  return 0;
}

void joined(long rounds) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, Run, &rounds);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
}
