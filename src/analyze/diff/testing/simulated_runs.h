// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analyze/diff/run_amounts.h"

namespace pyrometer::analyze::testing {

// A program whose functions have known times, and runs of it on a machine that is not
// always as fast. Each function has three lines, with 60, 30 and 10 % of its time, and
// is called by main.
struct SimulatedProgram {
  struct Function {
    std::string name{};
    double seconds = 0;
    double slope = 1;  // how much it slows down with the machine
    double bytes = 0;  // live at the peak
  };
  std::vector<Function> functions{};

  // The same with one function that has `factor` times as much of everything.
  SimulatedProgram With(const std::string& name, double factor) const;
};

struct SimulatedMachine {
  double rate = 1000;             // samples a second
  double speed = 1;               // how slow it is on average
  double speed_noise = 0.05;      // by which that differs from run to run
  double function_noise = 0.005;  // the same for each function by itself
  // How often a function is slower for the whole of a run, because of where that happens to
  // lie in memory, and by how much on average.
  double unlucky = 0, bad_luck = 0.08;
  double bytes_per_sample = 65536;
  double wait_seconds = 0;  // in the first function, with a fifth of it as noise
  bool memory = false;
};

RunAmounts SimulateRun(const SimulatedProgram& program, const SimulatedMachine& machine,
                       std::mt19937_64& random);
// Both programs side by side, on one CPU: the speed of the machine is the same for both.
std::pair<std::vector<RunAmounts>, std::vector<RunAmounts>> SimulatePairs(
    size_t count, const SimulatedProgram& base, const SimulatedProgram& now,
    SimulatedMachine machine, std::mt19937_64& random);
std::vector<RunAmounts> SimulateRuns(size_t count, const SimulatedProgram& program,
                                     const SimulatedMachine& machine, std::mt19937_64& random);

}  // namespace pyrometer::analyze::testing
