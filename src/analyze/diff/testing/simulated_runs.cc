// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/testing/simulated_runs.h"

#include <array>
#include <cmath>

namespace pyrometer::analyze::testing {
namespace {

using metric::Metric;

constexpr std::array<double, 3> kLineShares = {0.6, 0.3, 0.1};

using Random = std::mt19937_64;

// How often one of `all` samples falls on each of the parts.
std::vector<uint64_t> Scatter(uint64_t all, const std::vector<double>& parts, Random& random) {
  double left = 0;
  for (const double part : parts) left += part;
  std::vector<uint64_t> counts;
  for (const double part : parts) {
    const double share = left > 0 ? std::min(1.0, part / left) : 0;
    counts.push_back(std::binomial_distribution<uint64_t>(all, share)(random));
    all -= counts.back();
    left -= part;
  }
  return counts;
}

void Add(RunAmounts& run, size_t part, Metric metric, const RunSum& sum) {
  const size_t function = part / kLineShares.size();
  run.totals.Add(metric, sum);
  run.lines[part].sums.Add(metric, sum);
  run.functions[function].sums.Add(metric, sum);
  run.paths[function].sums.Add(metric, sum);
}

}  // namespace

SimulatedProgram SimulatedProgram::With(const std::string& name, double factor) const {
  SimulatedProgram changed = *this;
  for (Function& function : changed.functions) {
    if (function.name != name) continue;
    function.seconds *= factor;
    function.bytes *= factor;
  }
  return changed;
}

RunAmounts SimulateRun(const SimulatedProgram& program, const SimulatedMachine& machine,
                       Random& random) {
  RunAmounts run{.command = {"app.py"},
                 .interpreter = "CPython 3.12.1",
                 .clock = "perf",
                 .sample_period_ns = static_cast<uint64_t>(1e9 / machine.rate),
                 .has_time = true,
                 .has_memory = machine.memory,
                 .complete = true};
  run.files.push_back({"/srv/app.py", "app.py", {}});
  std::normal_distribution<double> normal;
  const double speed = std::log(machine.speed) + machine.speed_noise * normal(random);
  std::vector<double> times, bytes;
  double seconds = 0;
  for (const SimulatedProgram::Function& function : program.functions) {
    const uint32_t index = static_cast<uint32_t>(run.functions.size());
    double log_time = function.slope * speed + machine.function_noise * normal(random);
    if (machine.unlucky > 0 && std::bernoulli_distribution(machine.unlucky)(random))
      log_time += std::exponential_distribution(1 / machine.bad_luck)(random);
    const double time = function.seconds * std::exp(log_time);
    run.functions.push_back({0, function.name, 10 * (index + 1), {}});
    run.paths.push_back({{index}, {}});
    for (uint32_t line = 0; line < kLineShares.size(); ++line) {
      run.lines.push_back({index, 10 * (index + 1) + line + 1, {}});
      times.push_back(time * kLineShares[line]);
      bytes.push_back(function.bytes * kLineShares[line]);
    }
    seconds += time;
  }
  const double weight_ns = 1e9 / machine.rate;
  const auto samples = static_cast<uint64_t>(seconds * machine.rate);
  const std::vector<uint64_t> counts = Scatter(samples, times, random);
  for (size_t i = 0; i < counts.size(); ++i) {
    const double count = static_cast<double>(counts[i]);
    Add(run, i, Metric::kPython, {count * weight_ns, count * weight_ns * weight_ns, counts[i]});
  }
  run.elapsed_ns = static_cast<uint64_t>(seconds * 1e9);
  if (machine.wait_seconds > 0) {
    const double ns = 1e9 * machine.wait_seconds * std::exp(0.2 * normal(random));
    Add(run, 0, Metric::kIoWait, {ns, ns * 10e6, static_cast<uint64_t>(ns / 10e6)});
  }
  if (!machine.memory) return run;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] <= 0) continue;
    const uint64_t count =
        std::poisson_distribution<uint64_t>(bytes[i] / machine.bytes_per_sample)(random);
    const double value = static_cast<double>(count) * machine.bytes_per_sample;
    Add(run, i, Metric::kLiveAtPeak, {value, value * machine.bytes_per_sample, count});
  }
  return run;
}

std::vector<RunAmounts> SimulateRuns(size_t count, const SimulatedProgram& program,
                                     const SimulatedMachine& machine, Random& random) {
  std::vector<RunAmounts> runs;
  for (size_t i = 0; i < count; ++i) runs.push_back(SimulateRun(program, machine, random));
  return runs;
}

std::pair<std::vector<RunAmounts>, std::vector<RunAmounts>> SimulatePairs(
    size_t count, const SimulatedProgram& base, const SimulatedProgram& now,
    SimulatedMachine machine, Random& random) {
  std::pair<std::vector<RunAmounts>, std::vector<RunAmounts>> sides;
  const SimulatedMachine all = machine;
  machine.speed_noise = 0;
  std::normal_distribution<double> normal;
  for (size_t i = 0; i < count; ++i) {
    machine.speed = all.speed * std::exp(all.speed_noise * normal(random));
    for (auto [runs, program] : {std::pair(&sides.first, &base), {&sides.second, &now}}) {
      runs->push_back(SimulateRun(*program, machine, random));
      runs->back().only_cpu = 0;
      runs->back().start_unix_ns = (i + 1) * uint64_t{1'000'000'000'000};
    }
  }
  return sides;
}

}  // namespace pyrometer::analyze::testing
