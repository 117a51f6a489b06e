// SPDX-License-Identifier: Apache-2.0
#include "serve/secret.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace pyrometer::serve {

base::Result<std::string> MakeSecret() {
  std::array<uint8_t, 16> bytes;
  // So few bytes come whole or not at all.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return base::Error{std::string("no random numbers: ") + std::strerror(errno)};
  std::string text;
  for (const uint8_t byte : bytes)
    for (const int digit : {byte >> 4, byte & 15}) text += "0123456789abcdef"[digit];
  return text;
}

bool EqualSecrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int different = 0;
  for (size_t i = 0; i < a.size(); ++i) different |= a[i] ^ b[i];
  return different == 0;
}

}  // namespace pyrometer::serve
