// SPDX-License-Identifier: Apache-2.0
#include "import/testing/damaged.h"

#include <gtest/gtest.h>

#include <string>

#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"

namespace pyrometer::import_::testing {
namespace {

void ExpectSound(std::string_view text, std::string_view format) {
  const auto profile = Import(text, format);
  if (profile.ok()) {
    EXPECT_EQ(profile::testing::BrokenInvariant(profile.value()), "") << text;
  } else {
    EXPECT_EQ(profile.error().message.find('\n'), std::string::npos);
  }
}

}  // namespace

void ExpectSoundWhenDamaged(std::string_view text, std::string_view format) {
  ASSERT_TRUE(Import(text, format).ok());
  for (size_t i = 0; i < text.size(); ++i) ExpectSound(text.substr(0, i), format);
  std::string damaged(text);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto try_with = [&](int c) {
      damaged[i] = static_cast<char>(c);
      ExpectSound(damaged, format);
    };
    for (int bit = 0; bit < 8; ++bit) try_with(text[i] ^ 1 << bit);
    // What means something to a format that is text.
    for (const char c : {'"', '{', '}', '[', ',', '9', '-', 'e', '\0'}) try_with(c);
    damaged[i] = text[i];
  }
}

}  // namespace pyrometer::import_::testing
