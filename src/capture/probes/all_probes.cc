// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/all_probes.h"

#include <memory>
#include <utility>

#include "base/record_options.h"
#include "capture/probes/memory/memory_probe.h"
#include "capture/probes/names/name_probe.h"
#include "capture/probes/perf/perf_clock.h"
#include "capture/probes/tasks/task_probe.h"
#include "capture/probes/waits/wait_sampler.h"

namespace pyrometer::capture {

Probes MakeAllProbes(const ProbeContext& context) {
  const bool has_agent = context.target.agent() != nullptr;
  const base::RecordOptions& options = context.options;
  Probes probes;
  if (has_agent && options.cpu && options.clock == base::Clock::kPerf)
    probes.push_back(std::make_unique<PerfClock>(context));
  if (!context.target.supported()) return probes;
  if (options.cpu) {
    auto waits = std::make_unique<WaitSampler>(context);
    // Waits are polled first: what holds up a loop may be blocked.
    auto tasks = std::make_unique<TaskProbe>(
        context, [&waits = *waits](const ThreadCapture& thread) { return waits.StackOf(thread); });
    probes.push_back(std::move(waits));
    probes.push_back(std::move(tasks));
  }
  probes.push_back(std::make_unique<NameProbe>(context));
  if (has_agent && options.memory) probes.push_back(std::make_unique<MemoryProbe>(context));
  return probes;
}

}  // namespace pyrometer::capture
