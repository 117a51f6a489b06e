// SPDX-License-Identifier: Apache-2.0
// Loads a Python as a library and runs it: embedder [local] [thread] [idle] LIBRARY ARGUMENT...
//   local   its symbols are for this program alone
//   thread  in a thread of its own
//   idle    another thread is there before, and stays
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int count;
static char** words;
static int flags = RTLD_NOW | RTLD_GLOBAL;
static int result = 9;

static void* run(void* unused) {
  void* library = dlopen(words[0], flags);
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
    else
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
