// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pyrometer::export_ {

// `text` with U+FFFD in place of what is not UTF-8: once for each sequence that
// breaks off, and for each byte that begins none.
std::string ValidUtf8(std::string_view text);

}  // namespace pyrometer::export_
