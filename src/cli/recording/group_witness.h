// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace pyrometer::cli {

// Tells a signal that was sent to our whole process group from one that was
// sent to us alone: only the latter must be passed on to the program, which
// otherwise would get the former twice. A process that does nothing, in the
// same group, has every signal blocked; what is pending there was for all.
//
// Thread-safety: one owner.
class GroupWitness {
 public:
  GroupWitness();
  ~GroupWitness();
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  // Whether `signal` has reached the group since the last time it had.
  bool Saw(int signal);

 private:
  void Start();
  void Stop();

  pid_t pid_ = -1;
};

}  // namespace pyrometer::cli
