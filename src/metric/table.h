// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metric/metric.h"

namespace pyrometer::metric {

// What can be counted in one profile, or in several that are compared: the metrics that everybody
// knows, and those that a file declares under names and units of its own.
//
// Copies share what they have in common; an Info stays valid as long as any copy.
// Thread-safety: none; one owner.
class Table {
 public:
  // The number of a metric of that name, which is new unless it was declared before. Empty where
  // the name is that of a metric which everybody knows, or has none, or where there is no room.
  std::optional<Metric> Declare(std::string_view name, std::string_view unit,
                                std::string_view title);

  const Info& operator[](Metric metric) const;
  // Those of a use, in the order in which lists show them: declared ones, which have all uses,
  // last.
  std::vector<Info> Listed(Use use) const;
  std::vector<Info> declared() const;
  // By its name, or the one that it once had for that use; empty if no metric of that use has it.
  std::optional<Metric> Find(std::string_view name, Use use) const;

 private:
  // Strings that the Info refers to.
  struct Declared {
    std::string name, unit, title;
    Info info;
  };

  std::vector<std::shared_ptr<const Declared>> declared_;
};

}  // namespace pyrometer::metric
