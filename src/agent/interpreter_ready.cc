// SPDX-License-Identifier: Apache-2.0
#include "agent/interpreter_ready.h"

#include <stdlib.h>

#include <cstring>
#include <string_view>

#include "agent/python_api.h"

namespace pyrometer::agent {
namespace {

// The interpreter calls it for each event. The events cpython.run_* come when it
// is ready for the program.
int OnAuditEvent(const char* event, PythonApi::Object*, void* callback) {
  if (std::strncmp(event, "cpython.run_", 12) == 0) reinterpret_cast<void (*)()>(callback)();
  return 0;
}

bool IsSet(const char* variable) {
  const char* value = getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

void WhenInterpreterIsReady(void (*callback)()) {
  int (*add_hook)(int (*)(const char*, PythonApi::Object*, void*), void*);
  if (PythonApi::Get(&add_hook, "PySys_AddAuditHook"))
    add_hook(OnAuditEvent, reinterpret_cast<void*>(callback));
}

bool ChoosesAllocators(char** arguments) {
  if (IsSet("PYTHONMALLOC") || IsSet("PYTHONDEVMODE")) return true;
  for (; *arguments != nullptr; ++arguments)
    if (const std::string_view word = *arguments; word == "dev" || word == "-Xdev") return true;
  return false;
}

}  // namespace pyrometer::agent
