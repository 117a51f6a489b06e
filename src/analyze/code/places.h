// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/report/report.h"
#include "profile/profile.h"

// Frames and stacks as text.
namespace pyrometer::analyze {

Place PlaceOf(const FrameTable& frames, uint32_t spot);

// The Python frames of a stack, outermost first.
std::vector<Place> PlacesOf(const profile::Profile& profile, const FrameTable& frames,
                            format::StackId stack);

}  // namespace pyrometer::analyze
