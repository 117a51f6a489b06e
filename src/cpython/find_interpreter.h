// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// Where a process has its exported symbols: the dynamic linker asked from inside, or the tables of
// its modules read from outside (os/process_symbols.h). 0: there is no such symbol.
template <class S>
concept SymbolSource = requires(const S symbols, const char* name) {
  { symbols.Address(name) } -> std::same_as<uint64_t>;
  { symbols.Size(name) } -> std::same_as<uint64_t>;
};

// The CPython of a process, found by its exported symbols.
struct InterpreterFacts {
  uint64_t runtime = 0;  // &_PyRuntime; 0: the process has no CPython. 1: it has one without
  uint32_t version_hex = 0;
  bool supported = false;  // else it is of a version that pyrometer does not know
  Layout layout{};
  uint64_t eval_begin = 0;  // code of the eval loop; 0: not known
  uint64_t eval_end = 0;
};

// "3.12.1+ (main, ...)" as 0x030c01f0. Pre-releases are told apart by
// Py_Version, which exists since 3.11; before it only releases are of interest.
uint32_t ParseVersion(std::string_view text);

// "CPython 3.99.1 is not a version that pyrometer knows", without stdio: this
// runs in every process that is started.
void WriteUnknownVersion(uint32_t version_hex, char (&out)[256]);

// The longest that VersionTextIn gives.
inline constexpr size_t kMaxVersionText = 16;

// Whether a version of a Python before 3.11 begins there, as Py_GetVersion() words it: "3.8.18 (".
// How long it is without the blank; 0: no.
size_t VersionTextLength(std::string_view text);

// Looks in [begin, end), the writable memory of the library that has Py_GetVersion(), for the text
// that this function has put together there when the interpreter started. 0: none is found.
template <MemoryReader R>
uint32_t FindVersionText(const R& reader, uint64_t begin, uint64_t end) {
  constexpr size_t kOverlap = 32;  // a text that lies across two parts is whole in the next
  char part[4096];
  for (uint64_t at = begin; at < end; at += sizeof part - kOverlap) {
    const uint64_t size = end - at < sizeof part ? end - at : sizeof part;
    if (!reader.Read(at, part, size)) continue;
    for (size_t i = 0; i < size; ++i) {
      if (part[i] != '3') continue;
      const std::string_view text(part + i, size - i);
      if (VersionTextLength(text) != 0) return ParseVersion(text);
    }
  }
  return 0;
}

// `old_version()` gives the version of an interpreter before 3.11 as ParseVersion does, 0 if there
// is none.
// Signal-safety: as safe as all three parameters.
template <SymbolSource S, MemoryReader R, class OldVersion>
InterpreterFacts FindInterpreter(const S& symbols, const R& reader, OldVersion&& old_version) {
  InterpreterFacts found;
  found.runtime = symbols.Address("_PyRuntime");
  uint64_t version = 0;  // an unsigned long there
  const uint64_t at = symbols.Address("Py_Version");
  if (at != 0 && ReadValue(reader, at, &version))
    found.version_hex = static_cast<uint32_t>(version);
  else
    found.version_hex = old_version();
  if (found.runtime == 0 && found.version_hex == 0) return found;

  found.eval_begin = symbols.Address("_PyEval_EvalFrameDefault");
  const uint64_t size = found.eval_begin != 0 ? symbols.Size("_PyEval_EvalFrameDefault") : 0;
  if (size == 0) found.eval_begin = 0;
  found.eval_end = found.eval_begin + size;

  if (found.runtime != 0 && symbols.Address("PyGILState_GetThisThreadState") != 0) {
    if (const Layout* layout = FindLayout(found.version_hex); layout != nullptr) {
      found.layout = *layout;
      found.layout.version_hex = found.version_hex;  // the table has its first patch release
      found.supported = true;
    } else {
      found.supported =
          LayoutFromDebugOffsets(reader, found.runtime, found.version_hex, &found.layout);
    }
  }
  if (!found.supported) {
    if (found.runtime == 0) found.runtime = 1;
    return found;
  }
  found.layout.type_code = symbols.Address("PyCode_Type");
  found.layout.type_frame = symbols.Address("PyFrame_Type");
  found.layout.type_generator = symbols.Address("PyGen_Type");
  found.layout.type_coroutine = symbols.Address("PyCoro_Type");
  found.layout.type_async_generator = symbols.Address("PyAsyncGen_Type");
  return found;
}

}  // namespace pyrometer::cpython
