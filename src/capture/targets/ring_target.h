// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/core/target.h"
#include "capture/targets/ring_mapping.h"

namespace pyrometer::capture {

// A process with an agent inside, which writes a ring.
//
// Thread-safety: one owner.
class RingTarget final : public Target {
 public:
  explicit RingTarget(RingMapping ring);

  transport::RecordingState recording() const override { return ring_.header().recording; }
  void SetRecording(transport::RecordingState state) override;
  const transport::RingHeader* agent() const override { return &ring_.header(); }
  bool Drain(const Visit& visit) override { return ring_.reader().Drain(visit); }

 private:
  RingMapping ring_;
};

}  // namespace pyrometer::capture
