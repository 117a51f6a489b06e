// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Has `callback` called, with the GIL, when the interpreter is ready and the
// program's first line has not run yet. It may be called more than once.
//
// By an audit hook, and an interpreter with audit hooks is a little slower: only
// where it is needed.
// Context: start-up, before the interpreter runs.
void WhenInterpreterIsReady(void (*callback)());

// Whether the interpreter is told, by its environment or its arguments, to
// use other allocators than it was built with.
// Context: start-up.
bool ChoosesAllocators(char** arguments);

}  // namespace pyrometer::agent
