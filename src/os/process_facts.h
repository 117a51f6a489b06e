// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pyrometer::os {

// What /proc says of a process; empty where it says nothing.
std::vector<std::string> ReadArguments(pid_t pid);
std::string ReadExecutable(pid_t pid);
// "NAME=value" as the process was given them by exec.
std::vector<std::string> ReadEnvironment(pid_t pid);
std::string ReadThreadName(pid_t pid, pid_t tid);
// The user with whose rights it runs.
std::optional<uid_t> ReadEffectiveUser(pid_t pid);
// The number that a process knows itself by, in its own PID namespace.
std::optional<pid_t> ReadOwnPid(pid_t pid);
// The CPU that a process may use, if it is just one.
std::optional<uint32_t> ReadOnlyCpu(pid_t pid);

}  // namespace pyrometer::os
