// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace pyrometer::capture {

// The text of a source file that lies in a zip archive, by the path that code in it has:
// "/srv/app.pyz/shop/cart.py". Archives as zipapp, shiv and pex write them: also behind a
// "#!" line, stored or deflated, no Zip64. Nothing where there is no such archive or member,
// or where the text is longer than `max_bytes`. Trusts nothing that the archive says.
std::optional<std::string> ReadZipSource(const std::string& path, size_t max_bytes);

}  // namespace pyrometer::capture
