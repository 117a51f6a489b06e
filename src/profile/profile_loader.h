// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/result.h"
#include "format/capture_reader.h"
#include "profile/profile.h"

namespace pyrometer::profile {

// Loads a capture. Damage is not an error as long as anything can be read:
// Profile::load tells what is missing. An error says in one line why there is
// nothing at all. Pure; any number may run at once.
//
// `progress`: as of CaptureReader.
base::Result<Profile> LoadProfile(std::span<const uint8_t> file,
                                  const format::ReadLimits& limits = {},
                                  const std::function<void(size_t done)>& progress = {});

// The same from a file; errors begin with `path`. The file may still be
// growing, but must not be shortened meanwhile.
base::Result<Profile> LoadProfileFile(const std::string& path);

}  // namespace pyrometer::profile
