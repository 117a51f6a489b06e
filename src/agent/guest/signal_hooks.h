// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Picks a signal that nobody uses, installs the handler and returns its number; 0 when there is
// none. The signal stays ours for good: one that was sent may be on its way when a recording ends.
// The next recording has the same; 0 when it needs another one for its clock.
// Context: before a recording.
int TakeSignal();

// Lets our signal through on the calling thread, whatever mask it inherited.
// Remembers in the thread's record that the program had it blocked.
void UnblockSignal();

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
