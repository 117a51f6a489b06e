// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pyrometer::import_::testing {

// Reads `text` cut off at every byte, and with every byte changed: whatever is read of it must
// be a sound profile.
void ExpectSoundWhenDamaged(std::string_view text, std::string_view format);

}  // namespace pyrometer::import_::testing
