// SPDX-License-Identifier: Apache-2.0
// What only native code can do to an allocator, for the programs memory_*.py:
// each function makes its calls and answers with a figure that a program can print.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

// Results of calls go through here, so that the compiler cannot leave out a pair of malloc and free.
static void* volatile g_sink;

static void* Kept(void* block) {
  g_sink = block;
  return block;
}

// --- errno -----------------------------------------------------------------

enum { kUntouched = 77 };

// errno after a request that must fail; -1 if it did not fail.
int ErrnoOfMalloc(size_t bytes) {
  errno = kUntouched;
  return Kept(malloc(bytes)) ? -1 : errno;
}
int ErrnoOfCalloc(size_t count, size_t bytes) {
  errno = kUntouched;
  return Kept(calloc(count, bytes)) ? -1 : errno;
}
int ErrnoOfReallocarray(size_t count, size_t bytes) {
  Kept(malloc(10));
  errno = kUntouched;
  const int seen = reallocarray(g_sink, count, bytes) ? -1 : errno;
  free(g_sink);
  return seen;
}
// A failing realloc leaves the old block as it was.
int ErrnoOfRealloc(size_t bytes) {
  strcpy(Kept(malloc(10)), "intact");
  errno = kUntouched;
  const int seen = realloc(g_sink, bytes) ? -1 : errno;
  const int intact = strcmp(g_sink, "intact") == 0;
  free(g_sink);
  return intact ? seen : -1;
}
// posix_memalign answers with its error and leaves errno alone.
int AnswerOfPosixMemalign(size_t alignment, size_t bytes) {
  void* block = NULL;
  errno = kUntouched;
  const int answer = posix_memalign(&block, alignment, bytes);
  free(block);
  return 1000 * answer + errno;
}
// Successful calls, many enough to be sampled, leave errno as it was.
int ErrnoAfterSuccess(size_t bytes, int rounds) {
  errno = kUntouched;
  for (int i = 0; i < rounds; ++i) {
    char* block = Kept(malloc(bytes));
    block = Kept(realloc(block, 2 * bytes));
    memset(block, 1, 2 * bytes);
    free(block);
    void* zeroed = Kept(calloc(2, bytes));
    memcpy(zeroed, "copy", 5);
    free(zeroed);
  }
  return errno;
}

// --- alignment and size ----------------------------------------------------

enum { kMalloc, kCalloc, kRealloc, kReallocarray, kPosixMemalign, kAlignedAlloc, kMemalign, kValloc, kPvalloc };

static void* Request(int way, size_t alignment, size_t bytes) {
  void* block = NULL;
  switch (way) {
    case kMalloc:
      return malloc(bytes);
    case kCalloc:
      return calloc(1, bytes);
    case kRealloc:
      return realloc(NULL, bytes);
    case kReallocarray:
      return reallocarray(NULL, 1, bytes);
    case kPosixMemalign:
      return posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
    case kAlignedAlloc:
      return aligned_alloc(alignment, bytes);
    case kMemalign:
      return memalign(alignment, bytes);
    case kValloc:
      return valloc(bytes);
    case kPvalloc:
      return pvalloc(bytes);
  }
  return NULL;
}

// Smallest malloc_usable_size of `count` requests that live at the same time. Each is filled to its last usable byte and
// compared before it is given back. 0: a block was refused, misaligned, too small or overwritten.
size_t UsableBytes(int way, size_t alignment, size_t bytes, int count) {
  enum { kMost = 256 };
  unsigned char* blocks[kMost];
  size_t least = SIZE_MAX;
  for (int i = 0; i < count && i < kMost; ++i) {
    blocks[i] = Request(way, alignment, bytes);
    const size_t usable = blocks[i] ? malloc_usable_size(blocks[i]) : 0;
    if (usable < bytes || (uintptr_t)blocks[i] % alignment != 0) return 0;
    memset(blocks[i], i, usable);
    if (usable < least) least = usable;
  }
  for (int i = 0; i < count && i < kMost; ++i) {
    const size_t usable = malloc_usable_size(blocks[i]);
    for (size_t at = 0; at < usable; ++at) {
      if (blocks[i][at] != (unsigned char)i) return 0;
    }
    free(blocks[i]);
  }
  return least;
}

// What `count` blocks of `bytes` add to what the C library says is in use: a header would show.
size_t AddedToHeap(size_t bytes, int count) {
  enum { kMost = 20000 };
  static void* blocks[kMost];
  if (count > kMost) return 0;
  const size_t before = mallinfo2().uordblks;
  for (int i = 0; i < count; ++i) blocks[i] = malloc(bytes);
  const size_t added = mallinfo2().uordblks - before;
  for (int i = 0; i < count; ++i) free(blocks[i]);
  return added;
}

// --- in place --------------------------------------------------------------

// How many of `count` blocks stay where they are when each is grown right after it was made.
int GrownInPlace(size_t from, size_t to, int count) {
  enum { kMost = 256 };
  void* blocks[kMost];
  int stayed = 0;
  for (int i = 0; i < count && i < kMost; ++i) {
    void* small = Kept(malloc(from));
    const uintptr_t place = (uintptr_t)small;
    blocks[i] = realloc(small, to);
    stayed += (uintptr_t)blocks[i] == place;
  }
  for (int i = 0; i < count && i < kMost; ++i) free(blocks[i]);
  return stayed;
}

int ShrunkInPlace(size_t from, size_t to) {
  void* block = Kept(malloc(from));
  const uintptr_t place = (uintptr_t)block;
  block = realloc(block, to);
  const int stayed = (uintptr_t)block == place;
  free(block);
  return stayed;
}

// mremap without permission to move: smaller, and back into the hole behind it.
int RemappedInPlace(size_t pages) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char* range = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (range == MAP_FAILED) return -1;
  range[0] = 'x';
  const int shrunk = mremap(range, pages * page, page, 0) == (void*)range;
  const int grown = mremap(range, page, pages * page, 0) == (void*)range;
  const int kept = range[0] == 'x' && range[pages * page - 1] == 0;
  munmap(range, pages * page);
  return 100 * shrunk + 10 * grown + kept;
}

// --- signals ---------------------------------------------------------------

static volatile sig_atomic_t g_handled;

static void AllocateInHandler(int number) {
  (void)number;
  const int saved = errno;
  char* block = malloc(50000);
  memset(block, 'h', 50000);
  block = realloc(block, 90000);
  if (block[49999] == 'h') ++g_handled;
  free(block);
  errno = saved;
}

// A timer whose handler allocates interrupts a loop that copies. Neither malloc nor free is ever interrupted by it: that
// would be an error of the program. Returns how many copies were wrong.
int CopiesUnderTimer(int least_signals, size_t bytes) {
  struct sigaction action = {.sa_handler = AllocateInHandler}, old_action;
  struct itimerval timer = {{0, 500}, {0, 500}}, old_timer;
  char *from = malloc(bytes), *to = malloc(bytes);
  int wrong = 0;
  g_handled = 0;
  sigaction(SIGALRM, &action, &old_action);
  setitimer(ITIMER_REAL, &timer, &old_timer);
  for (int i = 0; g_handled < least_signals; ++i) {
    from[0] = from[bytes - 1] = (char)i;
    if (i % 2) {
      memcpy(to, from, bytes);
    } else {
      memmove(to, from, bytes);
    }
    wrong += to[0] != (char)i || to[bytes - 1] != (char)i;
  }
  setitimer(ITIMER_REAL, &old_timer, NULL);
  sigaction(SIGALRM, &old_action, NULL);
  free(from);
  free(to);
  return wrong;
}

// raise() inside of nothing: the handler's requests are ordinary ones.
int RaisedHandlers(int count) {
  struct sigaction action = {.sa_handler = AllocateInHandler}, old_action;
  g_handled = 0;
  sigaction(SIGUSR1, &action, &old_action);
  for (int i = 0; i < count; ++i) raise(SIGUSR1);
  sigaction(SIGUSR1, &old_action, NULL);
  return g_handled;
}

// --- threads ---------------------------------------------------------------

static pthread_key_t g_key;
static int g_destroyed;
enum { kDestructorRounds = 3 };

struct Last {
  int rounds;
  char* block;
};

// Runs at the end of a thread, after much of its state is gone: frees, and allocates for the next round.
static void Destroy(void* value) {
  struct Last* last = value;
  free(last->block);
  if (--last->rounds > 0) {
    last->block = malloc(30000);
    memset(last->block, 'd', 30000);
    pthread_setspecific(g_key, last);
    return;
  }
  free(last);
  __atomic_add_fetch(&g_destroyed, 1, __ATOMIC_RELAXED);
}

static void* EndWithDestructor(void* unused) {
  struct Last* last = malloc(sizeof(*last));
  last->rounds = kDestructorRounds;
  last->block = malloc(40000);
  memset(last->block, 't', 40000);
  pthread_setspecific(g_key, last);
  return unused;
}

int ThreadsThatFreeAtTheirEnd(int count) {
  pthread_t thread;
  g_destroyed = 0;
  pthread_key_create(&g_key, Destroy);
  for (int i = 0; i < count; ++i) {
    if (pthread_create(&thread, NULL, EndWithDestructor, NULL) != 0) return -1;
    pthread_join(thread, NULL);
  }
  pthread_key_delete(g_key);
  return g_destroyed;
}

// Blocks in a common table: a thread takes out what another has put in, checks and frees it.
enum { kSlots = 512, kMostThreads = 16 };
static unsigned char* g_slots[kSlots];
static volatile int g_stop;
static int g_corrupt;

struct Worker {
  unsigned seed;
  int rounds;  // 0: until g_stop
};

static uint32_t Next(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static size_t SizeIn(const unsigned char* block) {
  size_t bytes;
  memcpy(&bytes, block, sizeof(bytes));
  return bytes;
}

static void Mark(unsigned char* block, size_t bytes) {
  memcpy(block, &bytes, sizeof(bytes));
  block[bytes - 1] = (unsigned char)(bytes * 31 + 7);
}

static int IsWhole(const unsigned char* block) {
  const size_t bytes = SizeIn(block);
  return block[bytes - 1] == (unsigned char)(bytes * 31 + 7);
}

static void* Churn(void* argument) {
  struct Worker* worker = argument;
  for (int i = 0; worker->rounds ? i < worker->rounds : !g_stop; ++i) {
    // Mostly small, now and then so large that it is mapped.
    const size_t bytes = 16 + (i % 1024 == 0 ? 300000 : Next(&worker->seed) % 2000);
    unsigned char* block = NULL;
    switch (Next(&worker->seed) % 4) {
      case 0:
        block = calloc(1, bytes);
        break;
      case 1:
        if (posix_memalign((void**)&block, 64, bytes) != 0) block = NULL;
        break;
      case 2:
        block = realloc(malloc(bytes / 2 + 1), bytes);
        break;
      default:
        block = malloc(bytes);
    }
    Mark(block, bytes);
    unsigned char* old = __atomic_exchange_n(&g_slots[Next(&worker->seed) % kSlots], block, __ATOMIC_ACQ_REL);
    if (old != NULL) {
      if (!IsWhole(old)) __atomic_add_fetch(&g_corrupt, 1, __ATOMIC_RELAXED);
      free(old);
    }
  }
  return NULL;
}

static void EmptySlots(void) {
  for (int i = 0; i < kSlots; ++i) {
    free(g_slots[i]);
    g_slots[i] = NULL;
  }
}

// Number of blocks that were not as they were left.
int CorruptAfterChurn(int threads, int rounds) {
  pthread_t running[kMostThreads];
  struct Worker workers[kMostThreads];
  g_corrupt = 0;
  for (int i = 0; i < threads && i < kMostThreads; ++i) {
    workers[i] = (struct Worker){(unsigned)i + 1, rounds};
    if (pthread_create(&running[i], NULL, Churn, &workers[i]) != 0) return -1;
  }
  for (int i = 0; i < threads && i < kMostThreads; ++i) pthread_join(running[i], NULL);
  EmptySlots();
  return g_corrupt;
}

// Churn in the background, between these two calls.
static pthread_t g_background[kMostThreads];
static struct Worker g_background_work[kMostThreads];
static int g_background_count;

void StartChurn(int threads) {
  g_stop = 0;
  g_corrupt = 0;
  g_background_count = threads < kMostThreads ? threads : kMostThreads;
  for (int i = 0; i < g_background_count; ++i) {
    g_background_work[i] = (struct Worker){(unsigned)i + 100, 0};
    pthread_create(&g_background[i], NULL, Churn, &g_background_work[i]);
  }
}

int StopChurn(void) {
  g_stop = 1;
  for (int i = 0; i < g_background_count; ++i) pthread_join(g_background[i], NULL);
  EmptySlots();
  return g_corrupt;
}

// What a child does right after fork, while the threads of its parent were in the middle of something.
int ChurnAlone(int rounds) {
  struct Worker worker = {9, rounds};
  g_corrupt = 0;
  memset(g_slots, 0, sizeof(g_slots));
  Churn(&worker);
  EmptySlots();
  return g_corrupt;
}
