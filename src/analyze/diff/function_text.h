// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyze/diff/code_listing.h"

namespace pyrometer::analyze {

// The lines of a function: from its first one as far as they are indented more than its head. Those
// of a module are its file's. Empty: not known.
std::span<const std::string> TextOf(const CodeListing& code, const CodeListing::Function& function);

// "f" of "Class.f".
std::string_view LastName(std::string_view qualified);

// Whether a function of that name begins somewhere in the lines.
bool Defines(std::span<const std::string> lines, std::string_view name);

}  // namespace pyrometer::analyze
