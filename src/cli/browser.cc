// SPDX-License-Identifier: Apache-2.0
#include "cli/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "base/scoped_fd.h"

namespace pyrometer::cli {
namespace {

std::vector<std::string> Words(const std::string& command, const std::string& address) {
  std::vector<std::string> words;
  bool placed = false;
  std::istringstream text(command);
  for (std::string word; text >> word;) {
    if (const size_t at = word.find("%s"); at != word.npos) {
      word.replace(at, 2, address);
      placed = true;
    }
    words.push_back(word);
  }
  if (!words.empty() && !placed) words.push_back(address);
  return words;
}

// In the process that becomes the browser; comes back when it cannot.
void BecomeCommand(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
}

bool Start(const std::vector<std::string>& command) {
  // Closed by a successful exec; else it carries what went wrong.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  base::ScopedFd told(ends[0]), tell(ends[1]);
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    // Twice, so that nobody has to wait for the browser.
    setsid();
    if (fork() != 0) _exit(0);
    signal(SIGPIPE, SIG_DFL);
    const int null = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, stream);
    BecomeCommand(command);
    (void)!write(tell.get(), "x", 1);
    _exit(127);
  }
  tell = base::ScopedFd();
  waitpid(child, nullptr, 0);
  char failed;
  ssize_t got;
  do {
    got = read(told.get(), &failed, 1);
  } while (got < 0 && errno == EINTR);
  return got == 0;
}

}  // namespace

std::vector<std::vector<std::string>> BrowserCommands(const std::string& address,
                                                      const char* browser, bool has_desktop) {
  std::vector<std::vector<std::string>> commands;
  if (browser != nullptr && *browser != '\0') {
    std::istringstream list(browser);
    for (std::string command; std::getline(list, command, ':');)
      if (auto words = Words(command, address); !words.empty())
        commands.push_back(std::move(words));
    return commands;
  }
  // Without a desktop it would open a browser for terminals, in ours.
  if (has_desktop) commands.push_back({"xdg-open", address});
  return commands;
}

bool OpenBrowser(const std::string& address) {
  const bool has_desktop = getenv("DISPLAY") != nullptr || getenv("WAYLAND_DISPLAY") != nullptr;
  for (const auto& command : BrowserCommands(address, getenv("BROWSER"), has_desktop))
    if (Start(command)) return true;
  return false;
}

}  // namespace pyrometer::cli
