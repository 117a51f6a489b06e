// SPDX-License-Identifier: Apache-2.0
// Times single calls of the allocator and of memcpy, for costs.py: nanoseconds
// of each, best of a few rounds, because whatever disturbs only adds.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kRounds = 9, kMostThreads = 64 };

// Called through these, so that no compiler can leave a pair out or inline a copy.
static void* (*volatile g_malloc)(size_t) = malloc;
static void (*volatile g_free)(void*) = free;
static void* (*volatile g_memcpy)(void*, const void*, size_t) = memcpy;

static double NowNs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void Pairs(size_t bytes, long count) {
  for (long i = 0; i < count; ++i) g_free(g_malloc(bytes));
}

double PairNs(size_t bytes, long count) {
  double best = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const double start = NowNs();
    Pairs(bytes, count);
    const double each = (NowNs() - start) / (double)count;
    if (each < best) best = each;
  }
  return best;
}

double CopyNs(size_t bytes, long count) {
  char *from = calloc(1, bytes), *to = calloc(1, bytes);
  double best = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const double start = NowNs();
    for (long i = 0; i < count; ++i) g_memcpy(to, from, bytes);
    const double each = (NowNs() - start) / (double)count;
    if (each < best) best = each;
  }
  free(from);
  free(to);
  return best;
}

struct Job {
  pthread_barrier_t* start;
  size_t bytes;
  long count;
  double began, ended;
};

static void* Run(void* raw) {
  struct Job* job = raw;
  pthread_barrier_wait(job->start);
  job->began = NowNs();
  Pairs(job->bytes, job->count);
  job->ended = NowNs();
  return NULL;
}

// Pairs of all threads together, a second, from the first beginning to the last end.
double PairsPerSecond(int threads, size_t bytes, long count) {
  pthread_t running[kMostThreads];
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    pthread_barrier_t start;
    struct Job jobs[kMostThreads];
    pthread_barrier_init(&start, NULL, (unsigned)threads);
    for (int i = 0; i < threads; ++i) {
      jobs[i] = (struct Job){&start, bytes, count, 0, 0};
      pthread_create(&running[i], NULL, Run, &jobs[i]);
    }
    double began = 1e18, ended = 0;
    for (int i = 0; i < threads; ++i) {
      pthread_join(running[i], NULL);
      if (jobs[i].began < began) began = jobs[i].began;
      if (jobs[i].ended > ended) ended = jobs[i].ended;
    }
    pthread_barrier_destroy(&start);
    const double rate = (double)count * threads / ((ended - began) / 1e9);
    if (rate > best) best = rate;
  }
  return best;
}
