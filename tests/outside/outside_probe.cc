// SPDX-License-Identifier: Apache-2.0
// Records a process that has no agent with the collector's own probes, for test_outside.py.
//
//   outside_probe CAPTURE SECONDS < request    {"pid", "version", "runtime", "types": {...}}
#include <fcntl.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/scoped_fd.h"
#include "capture/core/process_capture.h"
#include "capture/probes/all_probes.h"
#include "cpython/layout.h"
#include "format/file_sink.h"
#include "remote_target.h"

namespace pyrometer::capture {
namespace {

using nlohmann::json;

std::optional<Target::Facts> ReadFacts(const json& request) {
  Target::Facts facts;
  facts.pid = request.at("pid");
  facts.start_ns = base::NowNs(CLOCK_MONOTONIC);
  facts.runtime = request.at("runtime");
  const uint32_t version = request.at("version");
  if (const cpython::Layout* found = cpython::FindLayout(version))
    facts.layout = *found;
  else if (!cpython::LayoutFromDebugOffsets(os::RemoteMemory(facts.pid), facts.runtime, version,
                                            &facts.layout))
    return std::nullopt;
  facts.layout.version_hex = version;
  const json& types = request.at("types");
  facts.layout.type_code = types.at("code");
  facts.layout.type_generator = types.at("generator");
  facts.layout.type_coroutine = types.at("coroutine");
  facts.layout.type_async_generator = types.at("async_generator");
  return facts;
}

// For so long, or until it has ended.
void Record(ProcessCapture& process, const RunClock& clock, uint64_t ns) {
  PollBudget budget;
  const auto now = [&clock] { return clock.SinceStart(base::NowNs(CLOCK_MONOTONIC)); };
  while (now() < ns && !process.ended()) {
    const bool silent = !process.Drain();
    budget.Begin();
    process.Meet(now());
    process.Poll(now(), budget);
    budget.End();
    std::this_thread::sleep_for(std::chrono::milliseconds(budget.NextTickMs(silent)));
  }
  format::ProcessEnd end;
  end.end_ns = now();
  process.End(end.end_ns, &end);
}

int Main(const char* path, double seconds) {
  std::optional<Target::Facts> facts = ReadFacts(json::parse(std::cin));
  if (!facts) {
    std::cerr << "outside_probe: no layout for this interpreter\n";
    return 1;
  }
  const RunClock clock{facts->start_ns};
  format::FileSink sink(base::ScopedFd(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)));
  format::CaptureWriter writer(sink, {});
  StackTable stacks(writer);
  ProcessCapture process(std::make_unique<RemoteTarget>(*std::move(facts)), MakeAllProbes, {},
                         clock, stacks, writer);
  Record(process, clock, static_cast<uint64_t>(seconds * 1e9));
  return writer.Finish({clock.SinceStart(base::NowNs(CLOCK_MONOTONIC))}).ok() ? 0 : 1;
}

}  // namespace
}  // namespace pyrometer::capture

int main(int argc, char** argv) {
  if (argc == 3) return pyrometer::capture::Main(argv[1], std::strtod(argv[2], nullptr));
  std::cerr << "usage: outside_probe CAPTURE SECONDS\n";
  return 2;
}
