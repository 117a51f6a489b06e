// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "export/core/exchange.h"

namespace pyrometer::export_ {

// The shared libraries and executables that native functions of a profile are in.
//
// Thread-safety: immutable after construction.
class NativeModules {
 public:
  struct Module {
    uint32_t path = 0;       // a text
    std::string build_id{};  // in hexadecimal digits; empty: not known
  };

  explicit NativeModules(Exchange& from);

  const std::vector<Module>& all() const { return modules_; }
  // Index + 1; 0 for a function that is in none.
  uint32_t NumberOf(const Exchange::Function& function) const;

 private:
  std::vector<Module> modules_;
  std::map<uint32_t, uint32_t> numbers_;  // by path
};

}  // namespace pyrometer::export_
