// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Whether the program in the file `path` can be started with this library
// preloaded: it is of this processor and started by glibc's dynamic linker, or
// a script whose interpreter is. Static programs would ignore us; those of
// another word size or C library would print a message about us.
//
// Context: any thread, also the child of a vfork. Signal-safety: safe; bare
// system calls, 4 KiB of stack for each of at most four scripts in a row.
bool TakesAgent(const char* path);
// The same for an open file, whose position is left alone.
bool TakesAgent(int fd);
// The same for a name that is looked up in $PATH as execvp does it.
bool TakesAgentOnPath(const char* file);

}  // namespace pyrometer::agent
