// SPDX-License-Identifier: Apache-2.0
#include "agent/interpreter.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include <cstring>
#include <string_view>

#include "sigsafe/local_reader.h"

namespace pyrometer::agent {
namespace {

uint64_t AddressOf(void* symbols, const char* symbol) {
  return reinterpret_cast<uint64_t>(dlsym(symbols, symbol));
}

template <class Function>
Function FunctionOf(void* symbols, const char* symbol) {
  return reinterpret_cast<Function>(dlsym(symbols, symbol));
}

// "3.12.1+ (main, ...)" as 0x030c01f0. Pre-releases are told apart by
// Py_Version, which exists since 3.11; before it only releases are of interest.
uint32_t ParseVersion(const char* text) {
  uint32_t part[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    while (*text >= '0' && *text <= '9')
      part[i] = part[i] * 10 + static_cast<uint32_t>(*text++ - '0');
    if (*text != '.') break;
    ++text;
  }
  return part[0] << 24 | part[1] << 16 | part[2] << 8 | 0xf0;
}

uint32_t VersionHex(void* symbols) {
  if (const uint64_t version = AddressOf(symbols, "Py_Version"); version != 0) {
    unsigned long value;  // NOLINT(google-runtime-int): its C type
    std::memcpy(&value, reinterpret_cast<const void*>(version), sizeof value);
    return static_cast<uint32_t>(value);
  }
  const auto get_version = FunctionOf<const char* (*)()>(symbols, "Py_GetVersion");
  return get_version == nullptr ? 0 : ParseVersion(get_version());
}

EvalRange FindEval(void* symbols) {
  void* eval = dlsym(symbols, "_PyEval_EvalFrameDefault");
  Dl_info info;
  void* entry = nullptr;
  if (eval == nullptr || dladdr1(eval, &info, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr)
    return {};
  const auto* symbol = static_cast<const ElfW(Sym)*>(entry);
  const auto begin = reinterpret_cast<uint64_t>(eval);
  return {begin, begin + symbol->st_size};
}

// Appends without stdio: this runs in every process that is started.
void Append(char (&out)[256], const char* text) {
  size_t n = std::strlen(out);
  while (*text != '\0' && n + 1 < sizeof out) out[n++] = *text++;
  out[n] = '\0';
}

void AppendNumber(char (&out)[256], uint32_t value) {
  char digits[12];
  size_t n = sizeof digits;
  digits[--n] = '\0';
  do digits[--n] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  Append(out, digits + n);
}

bool IsSet(const char* variable) {
  const char* value = getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

Interpreter FindInterpreter(void* symbols) {
  Interpreter found;
  found.symbols = symbols;
  found.runtime = AddressOf(symbols, "_PyRuntime");
  const uint32_t version = VersionHex(symbols);
  if (found.runtime == 0 && version == 0) return found;

  found.this_thread_state = FunctionOf<void* (*)()>(symbols, "PyGILState_GetThisThreadState");
  found.eval = FindEval(symbols);

  static sigsafe::PageCache pages;
  const sigsafe::LocalReader reader(pages, 0, 0);
  bool known = false;
  if (found.runtime != 0 && found.this_thread_state != nullptr) {
    if (const cpython::Layout* layout = cpython::FindLayout(version); layout != nullptr) {
      found.layout = *layout;
      found.layout.version_hex = version;  // the table has its first patch release
      known = true;
    } else {
      known = cpython::LayoutFromDebugOffsets(reader, found.runtime, version, &found.layout);
    }
  }
  if (!known) {
    if (found.runtime == 0) found.runtime = 1;  // a Python all the same
    Append(found.message, "CPython ");
    AppendNumber(found.message, version >> 24);
    Append(found.message, ".");
    AppendNumber(found.message, version >> 16 & 0xff);
    Append(found.message, ".");
    AppendNumber(found.message, version >> 8 & 0xff);
    Append(found.message, " is not a version that pyrometer knows");
    return found;
  }
  found.layout.type_code = AddressOf(symbols, "PyCode_Type");
  found.layout.type_frame = AddressOf(symbols, "PyFrame_Type");
  found.layout.type_generator = AddressOf(symbols, "PyGen_Type");
  found.layout.type_coroutine = AddressOf(symbols, "PyCoro_Type");
  found.layout.type_async_generator = AddressOf(symbols, "PyAsyncGen_Type");
  found.supported = true;
  return found;
}

bool ChoosesAllocators(char** arguments) {
  if (IsSet("PYTHONMALLOC") || IsSet("PYTHONDEVMODE")) return true;
  for (; *arguments != nullptr; ++arguments)
    if (const std::string_view word = *arguments; word == "dev" || word == "-Xdev") return true;
  return false;
}

}  // namespace pyrometer::agent
