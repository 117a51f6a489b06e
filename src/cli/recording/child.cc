// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace pyrometer::cli {
namespace {

sigset_t ForwardedSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD, SIGTSTP,
                     SIGCONT, SIGWINCH})
    sigaddset(&set, number);
  return set;
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& s : strings) pointers.push_back(const_cast<char*>(s.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

base::Result<Child> Child::Start(const std::vector<std::string>& command,
                                 const std::vector<std::string>& environment) {
  const std::vector<char*> argv = Pointers(command);
  const std::vector<char*> envp = Pointers(environment);
  auto witness = std::make_unique<GroupWitness>();
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0) return base::Error{std::strerror(errno)};
  base::ScopedFd read_end(error_pipe[0]), write_end(error_pipe[1]);
  const sigset_t forwarded = ForwardedSignals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &forwarded, &before);
  base::ScopedFd signals(signalfd(-1, &forwarded, SFD_CLOEXEC | SFD_NONBLOCK));
  const pid_t pid = fork();
  if (pid == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    execvpe(argv[0], argv.data(), envp.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t n = write(write_end.get(), &error, sizeof error);
    _exit(127);
  }
  write_end.Reset();
  int error = 0;
  if (pid < 0 || read(read_end.get(), &error, sizeof error) == sizeof error) {
    if (pid > 0) waitpid(pid, nullptr, 0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return base::Error{"cannot run " + command[0] + ": " + std::strerror(pid < 0 ? errno : error)};
  }
  return Child(pid, std::move(signals), std::move(witness));
}

ChildEnd Child::Wait(const std::function<int()>& tick) {
  ChildEnd end;
  int period_ms = 0;
  for (;;) {
    pollfd wait{signals_.get(), POLLIN, 0};
    poll(&wait, 1, period_ms);
    if ((wait.revents & POLLIN) != 0) ForwardSignals();
    period_ms = tick();
    const pid_t changed = wait4(pid_, &end.status, WNOHANG | WUNTRACED, &end.usage);
    if (changed == pid_ && WIFSTOPPED(end.status))
      StopToo(WSTOPSIG(end.status));
    else if (changed == pid_ || (changed < 0 && errno != EINTR))
      return end;
  }
}

void Child::ForwardSignals() {
  signalfd_siginfo info;
  while (read(signals_.get(), &info, sizeof info) == sizeof info) {
    const auto number = static_cast<int>(info.ssi_signo);
    if (number == SIGTSTP) asked_to_stop_ = true;
    if (number == caught_ && caught_ != 0) {
      action_();
      continue;
    }
    // What the terminal sends, or anybody to the whole group, the child has got.
    if (number != SIGCHLD && info.ssi_code <= 0 && !witness_->Saw(number)) kill(pid_, number);
  }
}

void Child::StopToo(int signal) {
  // The Ctrl-Z that made it stop itself may have come since we looked.
  ForwardSignals();
  // A debugger, or whoever else stops the program alone, will also wake it
  // alone; nobody would wake us.
  if (signal == SIGSTOP && !asked_to_stop_) return;
  asked_to_stop_ = false;
  // The same signal, so that a shell says the same of us. Where there is no
  // shell the kernel ignores it.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  raise(signal);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

void ExitLike(int status) {
  if (!WIFSIGNALED(status)) exit(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  const rlimit no_core{0, 0};  // the child has left its core, if any
  setrlimit(RLIMIT_CORE, &no_core);
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  fflush(nullptr);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
  exit(128 + number);
}

}  // namespace pyrometer::cli
