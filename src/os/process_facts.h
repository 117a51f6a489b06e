// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace pyrometer::os {

// What /proc says of a process; empty where it says nothing.
std::vector<std::string> ReadArguments(pid_t pid);
std::string ReadExecutable(pid_t pid);
// "NAME=value" as the process was given them by exec.
std::vector<std::string> ReadEnvironment(pid_t pid);
std::string ReadThreadName(pid_t pid, pid_t tid);

}  // namespace pyrometer::os
