// SPDX-License-Identifier: Apache-2.0
#include "symbolize/demangle.h"

#include <cstdlib>
#include <cstring>
#include <memory>

#ifdef PYRO_HAVE_LIBIBERTY
// Its own declaration of basename() contradicts that of <cstring>.
#define HAVE_DECL_BASENAME 1
#include <libiberty/demangle.h>
#else
#include <cxxabi.h>
#endif

namespace pyrometer::symbolize {
namespace {

struct Freer {
  void operator()(char* text) const { std::free(text); }
};
using CString = std::unique_ptr<char, Freer>;

// Longer ones are not worth the time; nobody reads them either.
constexpr size_t kMaxSymbolBytes = 4096;

bool LooksMangled(const char* symbol) {
  return std::strncmp(symbol, "_Z", 2) == 0 || std::strncmp(symbol, "_R", 2) == 0 ||
         std::strncmp(symbol, "_D", 2) == 0;
}

CString TryDemangle(const char* symbol) {
#ifdef PYRO_HAVE_LIBIBERTY
  return CString(cplus_demangle(symbol, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO));
#else
  int status = 0;
  return CString(abi::__cxa_demangle(symbol, nullptr, nullptr, &status));
#endif
}

}  // namespace

std::string Demangle(const char* symbol) {
  if (!LooksMangled(symbol) || std::strlen(symbol) > kMaxSymbolBytes) return symbol;
  const CString plain = TryDemangle(symbol);
  return plain != nullptr ? plain.get() : symbol;
}

}  // namespace pyrometer::symbolize
