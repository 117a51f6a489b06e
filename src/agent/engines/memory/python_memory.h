// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Puts hooks before CPython's object and memory allocators and its arenas, by
// the interpreter's own API. What they serve is counted there, and not again
// where it reaches malloc or mmap. The hooks stay when a recording ends, and are not put twice.
// `chooses_allocators`: the interpreter will drop them when it starts.
// `untouched`: nobody can have changed or used the allocators before.
// Context: before the interpreter runs.
void HookPythonMemory(bool chooses_allocators, bool untouched);

// The hooks once more if they were dropped and the interpreter is up by now.
// Context: a request for memory in the main thread.
void RestorePythonMemoryHooks();

// The program's last line has run, and the interpreter tidies up.
// Signal-safety: safe.
bool InterpreterEnds();

// Tells the ring, a new one, how large the arenas are.
void PublishArenas();

}  // namespace pyrometer::agent
