// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/record_options.h"
#include "capture/core/short_cpu.h"
#include "capture/core/target.h"
#include "capture/core/thread_capture.h"
#include "format/capture_writer.h"
#include "transport/records.h"

namespace pyrometer::capture {

// What samples of CPU time of the threads of one process are worth. All of a thread together are
// worth what its clock says, which is known at its end; so the newest ones are held until then.
//
// Thread-safety: one owner, who keeps all that is given to the constructor alive.
class CpuSamples {
 public:
  CpuSamples(const Target& target, const base::RecordOptions& options,
             format::CaptureWriter& writer);

  // The CPU time that the next sample of the thread stands for.
  uint64_t Weigh(ThreadCapture& thread, const transport::SampleRecord& sample);
  // Takes it over.
  void Add(ThreadCapture& thread, const format::Sample& sample);
  // Recording was paused up to now; since the start of the run.
  void Resume(uint64_t now_ns) { resumed_ns_ = now_ns; }
  // Writes what is held, as far as its worth is known.
  void Flush(ThreadCapture& thread) { WriteHeld(thread, 0); }
  // The thread has ended, its clock at `cpu_ns`: writes the rest.
  void End(ThreadCapture& thread, uint64_t cpu_ns);

 private:
  uint64_t FirstPeriodNs() const;
  // `unsampled_ns`: the CPU time after its newest sample, as far as it counts.
  void WriteHeld(ThreadCapture& thread, uint64_t unsampled_ns);

  const Target& target_;
  const base::RecordOptions& options_;
  format::CaptureWriter& writer_;
  ShortCpu short_cpu_;
  uint64_t resumed_ns_ = 0;
};

}  // namespace pyrometer::capture
