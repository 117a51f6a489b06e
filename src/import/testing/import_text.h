// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "import/import_profile.h"

namespace pyrometer::import_::testing {

inline base::Result<profile::Profile> Import(std::string_view bytes, std::string_view format = "",
                                             const ReadOptions& options = {}) {
  return ImportProfile({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, format,
                       options);
}

// The frames of a stack as text, outermost first: "name (file:line)" for Python,
// "name [module]" for native ones, joined by ';'.
std::string StackText(const profile::Profile& profile, format::StackId stack);

// All samples in order: "stack activity weight_ns count".
std::vector<std::string> SampleTexts(const profile::Profile& profile);
// "main (app.py:3);f [lib] cycles 500 count": what the file declares.
std::vector<std::string> AmountTexts(const profile::Profile& profile);

// The names of facts, or of losses with their values.
std::vector<std::string> FactTexts(const profile::Profile& profile);
std::vector<std::string> LossTexts(const profile::Profile& profile);

}  // namespace pyrometer::import_::testing
