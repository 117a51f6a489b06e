// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Puts hooks before CPython's object and memory allocators and its arenas, by
// the interpreter's own API. What they serve is counted there, and not again
// where it reaches malloc or mmap.
// Context: start-up, before the interpreter runs; again when it is ready, in
// case it was told to set up other allocators (PYTHONMALLOC, -X dev).
void HookPythonMemory();

// The same hooks once more if the interpreter has dropped them.
// Context: the interpreter is ready and has called us; one thread.
void RestorePythonMemoryHooks();

// The program's last line has run, and the interpreter tidies up.
// Signal-safety: safe.
bool InterpreterEnds();

// In the child of a fork: tells its own ring how large the arenas are.
void PublishArenas();

}  // namespace pyrometer::agent
