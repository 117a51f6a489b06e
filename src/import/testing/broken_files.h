// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"

namespace pyrometer::import_::testing {

// Reads `bytes` cut at every place, and with every bit of every byte turned: each must give
// a sound profile or an error of one line.
inline void ExpectSoundWhateverIsBroken(const std::string& bytes, std::string_view format) {
  const auto expect = [&](const std::string& broken, size_t place) {
    const auto profile = Import(broken, format);
    if (profile.ok())
      EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "") << "at " << place;
    else
      EXPECT_EQ(profile.error().message.find('\n'), std::string::npos) << profile.error().message;
  };
  for (size_t i = 0; i < bytes.size(); ++i) {
    expect(bytes.substr(0, i), i);
    std::string broken = bytes;
    for (int bit = 0; bit < 8; ++bit) {
      broken[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      expect(broken, i);
    }
  }
}

}  // namespace pyrometer::import_::testing
