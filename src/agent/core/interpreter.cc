// SPDX-License-Identifier: Apache-2.0
#include "agent/core/interpreter.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include <cstdint>
#include <string_view>

#include "cpython/find_interpreter.h"
#include "sigsafe/local_reader.h"

namespace pyrometer::agent {
namespace {

// The dynamic linker's own answers: it alone knows which scopes there are.
class LinkerSymbols {
 public:
  // `scope`: a handle of dlsym.
  explicit LinkerSymbols(void* scope) : scope_(scope) {}

  uint64_t Address(const char* name) const {
    return reinterpret_cast<uint64_t>(dlsym(scope_, name));
  }
  uint64_t Size(const char* name) const {
    Dl_info info;
    void* entry = nullptr;
    if (dladdr1(dlsym(scope_, name), &info, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr)
      return 0;
    return static_cast<const ElfW(Sym)*>(entry)->st_size;
  }
  template <class Function>
  Function FunctionOf(const char* name) const {
    return reinterpret_cast<Function>(dlsym(scope_, name));
  }

 private:
  void* scope_;
};

bool IsSet(const char* variable) {
  const char* value = getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

Interpreter FindInterpreter(void* scope) {
  const LinkerSymbols symbols(scope);
  static sigsafe::PageCache pages;
  const sigsafe::LocalReader reader(pages, 0, 0);
  const auto old_version = [&]() -> uint32_t {
    const auto get_version = symbols.FunctionOf<const char* (*)()>("Py_GetVersion");
    return get_version == nullptr ? 0 : cpython::ParseVersion(get_version());
  };
  const cpython::InterpreterFacts facts = cpython::FindInterpreter(symbols, reader, old_version);
  Interpreter found;
  found.symbols = scope;
  found.runtime = facts.runtime;
  found.layout = facts.layout;
  found.supported = facts.supported;
  found.eval = {facts.eval_begin, facts.eval_end};
  found.this_thread_state = symbols.FunctionOf<void* (*)()>("PyGILState_GetThisThreadState");
  if (found.IsUnknown()) cpython::WriteUnknownVersion(facts.version_hex, found.message);
  return found;
}

bool ChoosesAllocators(char** arguments) {
  if (IsSet("PYTHONMALLOC") || IsSet("PYTHONDEVMODE")) return true;
  for (; *arguments != nullptr; ++arguments)
    if (const std::string_view word = *arguments; word == "dev" || word == "-Xdev") return true;
  return false;
}

}  // namespace pyrometer::agent
