// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "import/core/importer.h"
#include "profile/profile.h"

namespace pyrometer::import_ {

// What begins a file is enough to recognise it.
inline constexpr size_t kHeadBytes = 16384;

// The importer for a file, by its content.
base::Result<const Importer*> Recognise(std::span<const uint8_t> file);

// Reads the profile of another tool. `format`: the name of an importer; empty: by content.
base::Result<profile::Profile> ImportProfile(std::span<const uint8_t> file, std::string_view format,
                                             const ReadOptions& options, Progress progress = {});

}  // namespace pyrometer::import_
