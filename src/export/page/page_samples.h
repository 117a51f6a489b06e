// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "export/tables/stack_tree.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// The samples of a page's data. Up to `most` they are those of the capture;
// beyond that, neighbours of one thread that agree in all but their time are one.
// Made in two halves at the same time, between which nothing is joined.
//
// Thread-safety: immutable after construction.
class PageSamples {
 public:
  static constexpr size_t kMostUnmerged = 2'000'000;

  struct Rows {
    std::vector<uint64_t> time_ns;
    std::vector<uint32_t> thread;
    std::vector<uint32_t> stack;
    std::vector<uint8_t> activity;
    std::vector<uint64_t> weight_ns;
    std::vector<uint64_t> count;
    std::vector<uint32_t> task;  // index + 1
  };

  // `least_halved`: as many samples are worth a second thread.
  PageSamples(const profile::Profile& profile, const StackTree& stacks, size_t most = kMostUnmerged,
              size_t least_halved = kMostUnmerged);

  size_t size() const { return first_.time_ns.size() + second_.time_ns.size(); }
  // What a column has at a row. Valid as long as this.
  template <class Number>
  auto Column(std::vector<Number> Rows::* column) const {
    return [&first = first_.*column, &second = second_.*column](size_t row) {
      return row < first.size() ? first[row] : second[row - first.size()];
    };
  }

 private:
  Rows first_;
  Rows second_;
};

}  // namespace pyrometer::export_
