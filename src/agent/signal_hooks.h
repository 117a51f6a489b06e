// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Picks a signal that nobody uses, installs the handler and returns
// its number; 0 when there is none.
// Context: start-up, before main.
int TakeSignal();

// Lets our signal through on the calling thread, whatever mask it inherited.
// Remembers in the thread's record that the program had it blocked.
void UnblockSignal();

// Whether the program has a handler from which it may not return to what it interrupted.
// Signal-safety: safe.
bool HandlersMayLeave();

// The mask of the calling thread as the program believes it to be, for as long
// as this lives: what another program inherits by exec or spawn.
// Context: any thread, also the child of a vfork.
class HandedOnMask {
 public:
  HandedOnMask();
  ~HandedOnMask();
  HandedOnMask(const HandedOnMask&) = delete;
  HandedOnMask& operator=(const HandedOnMask&) = delete;

 private:
  bool blocked_;
};

}  // namespace pyrometer::agent
