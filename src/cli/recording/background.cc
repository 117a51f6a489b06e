// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/background.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scoped_fd.h"

namespace pyrometer::cli {

bool FollowInBackground(const std::function<void()>& work) {
  const pid_t pid = fork();
  if (pid < 0) return false;
  if (pid != 0) return true;
  setsid();
  {
    const base::ScopedFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null.get(), stream);
  }
  work();
  _exit(0);
}

}  // namespace pyrometer::cli
