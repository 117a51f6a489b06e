// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/exit_hooks.h"

#include <stdlib.h>
#include <unistd.h>

#include "agent/core/agent.h"
#include "agent/core/hook.h"
#include "agent/core/in_recording.h"
#include "agent/core/task_facts.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {
namespace {

// Context: any thread; also the child of a vfork, which has its parent's ring.
void NoteExit(int code) {
  if (!IsOwnProcess(g_agent)) return;
  const InRecording inside;
  // The ring of a process that cannot be recorded says so, and stays.
  transport::RingHeader* header = g_agent.ring.header();
  if (header == nullptr || (!inside && !g_agent.interpreter.IsUnknown())) return;
  header->exit_note = transport::kExitNoted | (static_cast<uint32_t>(code) & 0xff);
  header->memory.peak_resident_bytes = ReadResidentMemory().peak_bytes;
}

}  // namespace

// Registered before the program's own handlers, so it runs after them.
void PrepareExitHooks() {
  on_exit([](int code, void*) { NoteExit(code); }, nullptr);
}

}  // namespace pyrometer::agent

PYRO_HOOK void _exit(int code) {
  pyrometer::agent::NoteExit(code);
  for (;;) pyrometer::sigsafe::Syscall(SYS_exit_group, code);
}
