// SPDX-License-Identifier: Apache-2.0
// The engines of libpyrometer_agent_time.so.
#include "agent/core/engine.h"
#include "agent/engines/cpu/cpu_timer_engine.h"

namespace pyrometer::agent {
namespace {

constexpr const Engine* kList[] = {&kCpuTimerEngine};

}  // namespace

constinit const std::span<const Engine* const> kEngines(kList);

}  // namespace pyrometer::agent
