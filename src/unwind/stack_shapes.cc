// SPDX-License-Identifier: Apache-2.0
#include "unwind/stack_shapes.h"

#include <alloca.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pyrometer::unwind::shapes {
namespace {

Leaf g_leaf = nullptr;
volatile int g_sink = 0;

int CompareAndCall(const void* a, const void* b) {
  if (Leaf leaf = std::exchange(g_leaf, nullptr)) leaf();
  const int left = *static_cast<const int*>(a);
  const int right = *static_cast<const int*>(b);
  return left < right ? -1 : left > right;
}

[[gnu::noinline]] void Throw(int value) {
  if (value > 0) throw std::runtime_error("thrown for the landing pad");
}

}  // namespace

[[gnu::noinline]] int Nested(int depth, Leaf leaf) {
  if (depth == 0) {
    leaf();
  } else {
    g_sink = g_sink + Nested(depth - 1, leaf);
  }
  return depth + g_sink;
}

[[gnu::noinline]] int VariableSize(size_t bytes, Leaf leaf) {
  auto* block = static_cast<volatile char*>(alloca(bytes));
  block[0] = 1;
  leaf();
  return block[0] + g_sink;
}

[[gnu::noinline]] int Large(Leaf leaf) {
  volatile char block[100000];
  block[sizeof(block) / 2] = 2;
  leaf();
  return block[sizeof(block) / 2] + g_sink;
}

[[gnu::noinline]] int Realigned(size_t bytes, Leaf leaf) {
  alignas(64) volatile char block[128];
  auto* more = static_cast<volatile char*>(alloca(bytes));
  block[0] = 3;
  more[0] = 4;
  leaf();
  return block[0] + more[0] + g_sink;
}

[[gnu::noinline]] int ThroughQsort(Leaf leaf) {
  int numbers[] = {5, 3, 4, 1, 2};
  g_leaf = leaf;
  std::qsort(numbers, std::size(numbers), sizeof(int), CompareAndCall);
  return numbers[0] + g_sink;
}

[[gnu::noinline]] int AfterThrow(Leaf leaf) {
  try {
    volatile int always = 1;
    Throw(always);
  } catch (const std::exception& error) {
    leaf();
    return static_cast<int>(std::strlen(error.what())) + g_sink;
  }
  return 0;
}

[[gnu::noinline]] int Busy(int rounds) {
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> numbers(200);
    for (size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = static_cast<int>(i * 7919u % 1009u);
    }
    std::vector<int> copy = numbers;
    std::qsort(numbers.data(), numbers.size(), sizeof(int), CompareAndCall);
    std::sort(copy.begin(), copy.end());
    std::map<std::string, double> table;
    for (int i = 0; i < 20; ++i) {
      char text[64];
      std::snprintf(text, sizeof(text), "%d.%07d", i, round);
      table[text] = std::strtod(text, nullptr);
    }
    sum += Nested(round % 20, [] { g_sink = 0; }) + VariableSize(64, [] { g_sink = 0; }) +
           static_cast<int>(table.size()) + numbers[7] + copy[9];
  }
  return sum;
}

}  // namespace pyrometer::unwind::shapes
