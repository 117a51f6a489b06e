// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/places.h"

#include <algorithm>

namespace pyrometer::analyze {

Place PlaceOf(const FrameTable& frames, uint32_t spot_index) {
  const FrameTable::Spot& spot = frames.spots()[spot_index];
  const FrameTable::Line& line = frames.lines()[spot.line];
  return {frames.files()[line.file].path, frames.functions()[spot.function].name, line.number};
}

std::vector<Place> PlacesOf(const profile::Profile& profile, const FrameTable& frames,
                            format::StackId stack) {
  std::vector<Place> places;
  for (; stack != format::kEmptyStack; stack = profile.stacks[stack.value].parent) {
    const format::FrameId frame = profile.stacks[stack.value].frame;
    if (frames.IsPython(frame)) places.push_back(PlaceOf(frames, frames.SpotOf(frame)));
  }
  std::reverse(places.begin(), places.end());
  return places;
}

}  // namespace pyrometer::analyze
