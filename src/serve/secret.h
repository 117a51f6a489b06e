// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer::serve {

// 128 random bits as text for an address.
base::Result<std::string> MakeSecret();

// Whether two texts are equal, in a time that does not say where they differ.
bool EqualSecrets(std::string_view a, std::string_view b);

}  // namespace pyrometer::serve
