// SPDX-License-Identifier: Apache-2.0
// Loads a Python as a library and runs it: embedder [local] [thread] [idle] [deaf] [older] [churn]
// LIBRARY ARGUMENT...
//   local   its symbols are for this program alone
//   thread  in a thread of its own
//   idle    another thread is there before, and stays
//   deaf    the same, and blocks all signals
//   older   one is there before, called "older"; it runs work() of the program when that is there,
//           then uses CPU by itself, and prints how much
//   churn   short threads are made all the time
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int count;
static char** words;
static int flags = RTLD_NOW | RTLD_GLOBAL;
static int result = 9;
static void* volatile loaded;

static void* run(void* unused) {
  void* library = dlopen(words[0], flags);
  loaded = library;
  int (*python)(int, char**) = NULL;
  if (library != NULL) python = (int (*)(int, char**))dlsym(library, "Py_BytesMain");
  if (python == NULL)
    puts(dlerror());
  else
    result = python(count, words);
  if (library != NULL) dlclose(library);
  return unused;
}

static void* idle(void* unused) {
  for (;;) pause();
  return unused;
}

static void* deaf(void* unused) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  return idle(unused);
}

static double used(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void native_burn(double seconds) {
  for (const double end = used() + seconds; used() < end;)  // asked seldom
    for (volatile int i = 0; i < 10000000; ++i) {
    }
}

static void* older(void* unused) {
  while (loaded == NULL) usleep(1000);
  int (*initialized)(void) = (int (*)(void))dlsym(loaded, "Py_IsInitialized");
  int (*ensure)(void) = (int (*)(void))dlsym(loaded, "PyGILState_Ensure");
  void (*release)(int) = (void (*)(int))dlsym(loaded, "PyGILState_Release");
  int (*execute)(const char*, void*) =
      (int (*)(const char*, void*))dlsym(loaded, "PyRun_SimpleStringFlags");
  while (!initialized()) usleep(1000);
  // The program prints the time of work(); ours is what there is besides.
  const double begin = used();
  native_burn(0.3);
  printf("native %f\n", used() - begin);
  fflush(stdout);
  const int state = ensure();
  // Asked seldom: CPU time between two short sleeps is met by no tick, and counts where the next one finds the thread.
  execute("import time\nwhile 'work' not in globals(): time.sleep(0.02)\nwork()", NULL);
  release(state);
  return unused;
}

static void* nothing(void* unused) { return unused; }

static void* churn(void* unused) {
  for (;;) {
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, nothing, NULL);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  }
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  int in_thread = 0;
  for (++argv, --argc; argc > 0; ++argv, --argc) {
    if (strcmp(argv[0], "local") == 0)
      flags = RTLD_NOW | RTLD_LOCAL;
    else if (strcmp(argv[0], "thread") == 0)
      in_thread = 1;
    else if (strcmp(argv[0], "idle") == 0)
      pthread_create(&thread, NULL, idle, NULL);
    else if (strcmp(argv[0], "deaf") == 0)
      pthread_create(&thread, NULL, deaf, NULL);
    else if (strcmp(argv[0], "churn") == 0)
      pthread_create(&thread, NULL, churn, NULL);
    else if (strcmp(argv[0], "older") == 0) {
      pthread_create(&thread, NULL, older, NULL);
      pthread_setname_np(thread, "older");
    } else
      break;
  }
  count = argc;
  words = argv;
  if (!in_thread) {
    run(NULL);
  } else {
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
  }
  return result;
}
